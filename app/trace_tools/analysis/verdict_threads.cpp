#include "app/config/load_config.hpp"
#include "app/thread_plan.hpp"
#include "app/trace_tools/analysis/verdict.hpp"
#include "app/trace_tools/remake/data_place.hpp"

namespace troupe {

namespace {

/// What computes on a GPU only hands out work here.
std::uint64_t cores_on(const std::string& device, int num_threads) {
  return device.starts_with("cuda") ? 1 : static_cast<std::uint64_t>(num_threads);
}

} // namespace

std::optional<torch_threads> threads_of_run(const recorded_trace& trace, const std::string& run_folder) {
  const auto training = find_training(trace);
  const auto config = load_config(config_path_of(run_folder));
  if (training.process == nullptr || training.process->num_cpus == 0 || !config)
    return std::nullopt;
  const auto plan = plan_threads(*config, static_cast<int>(training.process->num_cpus));
  return torch_threads{cores_on(config->run.device, plan.trainer_torch_threads),
                       cores_on(config->validation.device, plan.validator_torch_threads)};
}

} // namespace troupe
