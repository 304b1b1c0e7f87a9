#include "app/trace_tools/analysis/verdict_evidence.hpp"

#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

namespace troupe {

namespace {

/// Stages that a batch passes through, besides the trainer and those of plugins.
constexpr std::array<std::string_view, 4> pipeline_stages = {"loader", "readers", "augmenters", "collator"};

bool is_passed(const stage_load& load) {
  return load.stage.starts_with("stage ")
         || std::find(pipeline_stages.begin(), pipeline_stages.end(), load.stage) != pipeline_stages.end();
}

bool waits_for_devices(const stage_load& load) {
  return load.stage.ends_with("readers") || load.stage == "saver";
}

double cores_of(const stage_load& load, const torch_threads& threads) {
  if (waits_for_devices(load))
    return 0;
  const auto per_actor = load.stage == "trainer" ? threads.trainer : load.stage == "validator" ? threads.validator : 1;
  return load.busy * static_cast<double>(load.num_actors) * static_cast<double>(per_actor);
}

double phase_share(const recorded_process& process, std::string_view phase) {
  const auto seconds = static_cast<double>(stats_of(process, trace_kind::span, "", phase).handling.sum_ns) * 1e-9;
  return process.seconds() > 0 ? std::clamp(seconds / process.seconds(), 0.0, 1.0) : 0;
}

std::uint64_t num_marks(const recorded_process& process, std::string_view name) {
  return stats_of(process, trace_kind::mark, "", name).count();
}

aftermath aftermath_of(const recorded_process& process) {
  const auto superseded = num_marks(process, "checkpoint superseded");
  return {phase_share(process, "phase validating"), phase_share(process, "phase saving"),
          phase_share(process, "phase logging"),
          superseded + num_marks(process, "checkpoint durable") + num_marks(process, "checkpoint failed"), superseded};
}

} // namespace

stage_load evidence::stage(std::string_view name) const {
  for (const auto& load : numbers.stages)
    if (load.stage == name)
      return load;
  return {.stage = std::string{name}};
}

double evidence::floor_seconds(std::string_view except) const {
  auto floor = stage("trainer").seconds_per_step;
  for (const auto& load : numbers.stages)
    if (load.stage != except && is_passed(load))
      floor = std::max(floor, load.seconds_per_step / static_cast<double>(load.num_actors));
  return std::min(floor, numbers.step_seconds);
}

std::optional<std::uint64_t> evidence::free_cores() const {
  if (!numbers.cores_in_use || numbers.num_cores == 0)
    return std::nullopt;
  // Half a core that is left over is worth one more actor.
  const auto left = std::floor(static_cast<double>(numbers.num_cores) - *numbers.cores_in_use + 0.5);
  return left > 0 ? static_cast<std::uint64_t>(left) : 0;
}

std::string busy_text(const evidence& found, const std::vector<std::string>& stages) {
  std::string text;
  for (const auto& name : stages)
    if (const auto load = found.stage(name); load.num_actors > 0)
      text += (text.empty() ? "" : ", ") + load.stage
              + (load.num_actors > 1 ? " (" + std::to_string(load.num_actors) + ")" : "")
              + (text.empty() ? " busy " : " ") + share_text(load.busy);
  return text;
}

evidence gather(const training_time& training, const std::optional<torch_threads>& threads) {
  evidence found{training, aftermath_of(*training.process), {}};
  auto& numbers = found.numbers;
  const auto seconds = training.seconds();
  const auto share = [&](std::string_view span) {
    return seconds > 0 ? std::clamp(trainer_span_seconds(training, span) / seconds, 0.0, 1.0) : 0;
  };
  numbers.state = training.process->state;
  numbers.num_steps = training.num_steps;
  numbers.step_seconds = seconds / static_cast<double>(std::max<std::uint64_t>(training.num_steps, 1));
  numbers.expected_step_seconds = numbers.step_seconds;
  numbers.data_wait = share("waits for batch");
  numbers.validator_wait = share("waits for validator");
  numbers.after_training = std::min(found.after.validating + found.after.saving + found.after.logging, 1.0);
  numbers.num_cores = training.process->num_cpus;
  numbers.stages = stage_loads(training);
  if (threads)
    numbers.cores_in_use =
      std::accumulate(numbers.stages.begin(), numbers.stages.end(), 0.0,
                      [&](double cores, const stage_load& load) { return cores + cores_of(load, *threads); });
  return found;
}

} // namespace troupe
