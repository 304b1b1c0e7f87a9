/// What it costs to make the samples of an epoch.
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "app/config/run_config.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

struct pipeline_cost {
  std::uint64_t num_measured = 0;      ///< Samples.
  double seconds_per_sample = 0;       ///< Of one core: decoding and transforms, without reading.
  std::uint64_t samples_per_epoch = 0; ///< Those that are trained.
  std::uint32_t num_augmenters = 1;    ///< As training would have them on this machine.
  std::uint32_t num_busy_cores = 1;    ///< No more augmenters than cores work at a time.

  [[nodiscard]] double core_seconds_per_epoch() const noexcept {
    return seconds_per_sample * static_cast<double>(samples_per_epoch);
  }
  [[nodiscard]] double samples_per_second() const noexcept { return num_busy_cores / seconds_per_sample; }
  [[nodiscard]] double seconds_per_epoch() const noexcept { return core_seconds_per_epoch() / num_busy_cores; }
};

/// Measures the first samples of epoch 0 of a training run with that config, a few hundred or as many as a few seconds
/// allow, on the calling thread. Nothing if none of them is good.
[[nodiscard]] std::optional<pipeline_cost> measure_pipeline(const dataset& data, const transform_pipeline& transforms,
                                                            const run_config& config, int num_cores);

} // namespace troupe
