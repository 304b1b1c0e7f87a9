/// Blurs the image.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// Writes `from`, blurred, to `to`: torchvision's kernel of `size` (odd) and `sigma` (above 0, in pixels) in both
/// directions; the border mirrors the image without its edge. @pre `to` is of the shape of `from`, elsewhere
void gaussian_blur(const cv::Mat& from, cv::Mat& to, cv::Size size, double sigma);

/// As torchvision's GaussianBlur. Errors: bad_config for values out of range.
[[nodiscard]] expected<std::unique_ptr<transform>> make_gaussian_blur(const gaussian_blur_config& config,
                                                                      const image_shape& input);

} // namespace troupe
