#include "app/thread_plan.hpp"

#include "app/config/data_sources.hpp"

#include <fmt/format.h>
#include <sched.h>

#include <algorithm>
#include <thread>

namespace troupe {

namespace {

// The rules of `auto`, all of them.
constexpr std::uint32_t max_auto_augmenters = 16;
constexpr std::uint32_t max_auto_cheap_augmenters = 4; ///< Cheap samples: messages cost more than they do.
constexpr std::chrono::nanoseconds cheap_sample{20'000};
constexpr std::uint32_t max_auto_chunk_size = 16; ///< A replacement waits for a chunk to be done.
constexpr int auto_validator_torch_threads = 1;   ///< Judging is not urgent; the trainer's cores are.
constexpr std::size_t num_collators = 1;
constexpr std::size_t num_validation_augmenters = 1;
constexpr std::size_t min_scheduler_workers = 2; ///< One may be held up by a slow sample.

std::uint32_t auto_augmenters(int num_cores, std::chrono::nanoseconds sample_cost) {
  const bool cheap = sample_cost.count() > 0 && sample_cost < cheap_sample;
  const auto limit = cheap ? max_auto_cheap_augmenters : max_auto_augmenters;
  return std::clamp(static_cast<std::uint32_t>(num_cores / 2), 1u, limit);
}

std::string origin(bool is_auto, const std::string& rule) {
  return is_auto ? "auto: " + rule : "as configured";
}

void plan_augmenters(const pipeline_section& pipeline, int num_cores, std::chrono::nanoseconds sample_cost,
                     thread_plan& out) {
  const bool is_auto = pipeline.augmenters == 0;
  out.num_augmenters = is_auto ? auto_augmenters(num_cores, sample_cost) : pipeline.augmenters;
  out.reasons.push_back(
    fmt::format("augmenters: {} ({})", out.num_augmenters,
                origin(is_auto, fmt::format("half of {} cores, 1 to {}; to {} for cheap samples", num_cores,
                                            max_auto_augmenters, max_auto_cheap_augmenters))));
  const auto share = (pipeline.batch_size + out.num_augmenters - 1) / out.num_augmenters;
  out.chunk_size = pipeline.chunk_size > 0 ? pipeline.chunk_size : std::clamp(share, 1u, max_auto_chunk_size);
  out.reasons.push_back(fmt::format(
    "chunk size: {} ({})", out.chunk_size,
    origin(pipeline.chunk_size == 0, fmt::format("a batch's share of an augmenter, at most {}", max_auto_chunk_size))));
}

} // namespace

thread_plan plan_threads(const run_config& config, int num_cores, std::chrono::nanoseconds sample_cost) {
  thread_plan out;
  num_cores = std::max(num_cores, 1);
  const bool trainer_auto = config.train.torch_threads == 0;
  out.trainer_torch_threads = trainer_auto ? num_cores : config.train.torch_threads;
  out.reasons.push_back(fmt::format(
    "trainer: {} torch threads ({}{})", out.trainer_torch_threads, origin(trainer_auto, "all cores"),
    out.trainer_torch_threads > num_cores ? fmt::format("; more than the {} usable cores", num_cores) : ""));
  const bool validator_auto = config.validation.torch_threads == 0;
  out.validator_torch_threads = validator_auto ? auto_validator_torch_threads : config.validation.torch_threads;
  out.reasons.push_back(fmt::format("validator: {} torch threads ({})", out.validator_torch_threads,
                                    origin(validator_auto, "the trainer goes first")));
  plan_augmenters(config.pipeline, num_cores, sample_cost, out);
  const auto for_validation = validation_source(config.data) ? num_collators + num_validation_augmenters : 0;
  out.scheduler_workers = std::max(min_scheduler_workers, out.num_augmenters + num_collators + for_validation);
  out.reasons.push_back(
    fmt::format("scheduler: {} workers (one for each augmenter and collator)", out.scheduler_workers));
  return out;
}

int num_usable_cores() {
  cpu_set_t mask;
  CPU_ZERO(&mask);
  if (sched_getaffinity(0, sizeof mask, &mask) == 0)
    return std::max(CPU_COUNT(&mask), 1);
  // More cores than the mask holds.
  return std::max(static_cast<int>(std::thread::hardware_concurrency()), 1);
}

} // namespace troupe
