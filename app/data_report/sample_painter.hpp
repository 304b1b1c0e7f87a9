/// Samples as the network sees them, made visible again.
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Applies transforms and undoes their `normalize`. Owned by one thread.
class sample_painter {
public:
  /// `list` is what `transforms`, which must outlive the painter, was made of.
  sample_painter(const transform_pipeline& transforms, const std::vector<transform_config>& list);

  /// Returns the sample as epoch `epoch` of a run with that seed has it, before batches are mixed: height x width x 3
  /// bytes, row-major. Of more than three channels the first three are shown, of two the first. `extras` are filled as
  /// `transform_pipeline::apply` does, and errors are its errors.
  [[nodiscard]] expected<std::vector<unsigned char>> paint(const encoded_sample& sample, std::uint64_t seed,
                                                           std::uint64_t epoch, const sample_extras& extras = {});

private:
  [[nodiscard]] unsigned char byte_of(float value, std::size_t channel) const;

  const transform_pipeline& transforms_;
  normalize_config undone_{.mean = {0}, .std = {1}}; ///< What a list without `normalize` ends with.
  std::vector<float> numbers_;                       ///< Of one sample: [H, W, C].
};

} // namespace troupe
