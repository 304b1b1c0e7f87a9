/// From an encoded sample to the numbers of its slot in the batch.
#pragma once

#include "actors/augmenter/image_shape.hpp"
#include "actors/augmenter/transform_config.hpp"
#include "actors/support/expected.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <memory>
#include <vector>

namespace troupe {

class normalize;
class transform;

/// The transforms of a config, ready to be applied to samples of one shape. Immutable; any number of threads may apply it
/// at the same time. After a thread's first sample nothing is allocated.
class transform_pipeline {
public:
  /// Returns the pipeline for samples of that shape: 1..4 channels, sides of 1..32767 pixels. `normalize` comes last, at
  /// most once; without it, x / 255. Errors: bad_config, naming the place in the list, the value and what was expected.
  static expected<transform_pipeline> make(const std::vector<transform_config>& transforms, std::int64_t channels,
                                           std::int64_t height, std::int64_t width);

  transform_pipeline(transform_pipeline&&) noexcept;
  transform_pipeline& operator=(transform_pipeline&&) noexcept;
  ~transform_pipeline();

  [[nodiscard]] std::int64_t output_channels() const noexcept { return output_.channels; }
  [[nodiscard]] std::int64_t output_height() const noexcept { return output_.height; }
  [[nodiscard]] std::int64_t output_width() const noexcept { return output_.width; }

  /// Writes exactly C x H x W numbers to `out`, as [H, W, C] if `channels_last`, else as [C, H, W]. The k-th transform of
  /// the list draws from `sample_rng(seed, epoch, sample.id, k)`: the result depends on nothing but the arguments.
  /// Errors: bad_data for a sample that is not what it says or of another shape, unsupported for its format; `out` is
  /// then untouched.
  expected<void> apply(const encoded_sample& sample, std::uint64_t seed, std::uint64_t epoch, float* out,
                       bool channels_last) const;

private:
  transform_pipeline(const image_shape& input, std::vector<std::unique_ptr<transform>> steps,
                     std::unique_ptr<normalize> last);

  image_shape input_;
  image_shape output_;
  std::vector<std::unique_ptr<transform>> steps_; ///< By place in the config's list.
  std::unique_ptr<normalize> normalize_;
};

} // namespace troupe
