/// Turns bytes into the numbers that the network sees.
#pragma once

#include "actors/augmenter/image_shape.hpp"
#include "actors/augmenter/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <array>
#include <opencv2/core/mat.hpp>
#include <vector>

namespace troupe {

/// (x / 255 - mean) / std per channel, together with the change of layout: one pass over the image. The 256 results of
/// every channel are computed beforehand in double precision, so they are the same on every machine.
class normalize {
public:
  /// `mean` and `std` have one number for all channels, or one per channel; finite, std > 0. Errors: bad_config.
  static expected<normalize> make(const normalize_config& config, const image_shape& input);

  /// Writes the image to `out`: [H, W, C] if `channels_last`, else [C, H, W]. Safe from any thread.
  /// @pre `pixels` is of the shape given to `make`; `out` has room for `num_elements()`.
  void write(const cv::Mat& pixels, float* out, bool channels_last) const;

private:
  using table = std::array<float, 256>;
  explicit normalize(std::vector<table> tables) : tables_(std::move(tables)) {}

  std::vector<table> tables_; ///< By channel.
};

} // namespace troupe
