#include "app/data_report/pipeline_cost.hpp"

#include "actors/loader/sampler.hpp"
#include "app/thread_plan.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <ctime>
#include <span>
#include <vector>

namespace troupe {

namespace {

constexpr std::size_t max_measured = 512;
constexpr std::size_t samples_at_a_time = 32; ///< In memory.
constexpr double patience = 4;                ///< Seconds of a core.

/// Of all threads of this process: libraries may have some of their own at work.
double cpu_seconds() {
  timespec now{};
  clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &now);
  return static_cast<double>(now.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec);
}

struct measurement {
  std::uint64_t num_samples = 0;
  double seconds = 0;
};

/// Makes some samples, and adds the good ones and the time that they took.
void measure(const dataset& data, const transform_pipeline& transforms, const run_config& config,
             std::span<const std::uint32_t> ids, std::vector<float>& numbers, measurement& sum) {
  std::vector<encoded_sample> samples;
  for (const auto id : ids)
    if (auto sample = data.read(id))
      samples.push_back(std::move(*sample));
  const sample_slot slot{numbers.data(), config.pipeline.pixels, config.train.channels_last};
  const auto begun = cpu_seconds();
  for (const auto& sample : samples)
    if (transforms.apply(sample, config.run.seed, 0, slot))
      ++sum.num_samples;
  sum.seconds += cpu_seconds() - begun;
}

} // namespace

std::optional<pipeline_cost> measure_pipeline(const dataset& data, const transform_pipeline& transforms,
                                              const run_config& config, int num_cores) {
  const auto plan = epoch_plan::make(data.num_samples(), config.pipeline.batch_size, config.pipeline.drop_last,
                                     /*shuffle=*/true, config.run.seed);
  if (!plan)
    return std::nullopt;
  const auto order = plan->order(0);
  const auto ids = std::span(order).first(std::min(order.size(), max_measured));
  std::vector<float> numbers(
    static_cast<std::size_t>(transforms.output_channels() * transforms.output_height() * transforms.output_width()));
  measurement warm_up, sum;
  measure(data, transforms, config, ids.first(std::min<std::size_t>(ids.size(), 4)), numbers, warm_up);
  for (std::size_t first = 0; first < ids.size() && sum.seconds < patience; first += samples_at_a_time)
    measure(data, transforms, config, ids.subspan(first, std::min(samples_at_a_time, ids.size() - first)), numbers,
            sum);
  if (sum.num_samples == 0)
    return std::nullopt;
  pipeline_cost out;
  out.num_measured = sum.num_samples;
  out.seconds_per_sample = sum.seconds / static_cast<double>(sum.num_samples);
  out.samples_per_epoch = plan->samples_per_epoch();
  const std::chrono::nanoseconds cost(std::llround(1e9 * out.seconds_per_sample));
  out.num_augmenters = plan_threads(config, num_cores, cost).num_augmenters;
  out.num_busy_cores = std::min(out.num_augmenters, static_cast<std::uint32_t>(num_cores));
  return out;
}

} // namespace troupe
