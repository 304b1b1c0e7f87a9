/// Turns pixels into the numbers that the network sees.
#pragma once

#include "actors/augmenter/transforms/normalize_kernels.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/image_shape.hpp"
#include "messages/pixel_type.hpp"

#include <cstddef>
#include <opencv2/core/mat.hpp>

namespace troupe {

/// (x / full scale - mean) / std per channel, together with the change of layout: one pass over the image. Full scale is
/// 255, or 65535 for 16 bits. Computed as x * scale + bias in float, two roundings: the same numbers on every machine, off
/// the exact ones by less than 2^-21 times the larger of the two summands.
class normalize {
public:
  /// `mean` and `std` have one number for all channels, or one per channel; finite, std > 0. Errors: bad_config.
  static expected<normalize> make(const normalize_config& config, const image_shape& input);

  /// Writes the image to `out`: [H, W, C] if `channels_last`, else [C, H, W]. Safe from any thread.
  /// @pre `pixels`, perhaps a window, have the channels and bits given to `make`; `out` has room for all of their values.
  void write(const cv::Mat& pixels, pixel_type type, void* out, bool channels_last) const;

private:
  normalize(std::size_t channels, int bits, const normalize_factors& factors)
    : channels_(channels), bits_(bits), factors_(factors) {}

  std::size_t channels_;
  int bits_;
  normalize_factors factors_;
};

} // namespace troupe
