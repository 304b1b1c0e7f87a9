/// Cuts out the middle of the image.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// Returns the window of `size` in the middle of an image of `from`; it reaches outside where the image is smaller. The
/// odd pixel goes where torchvision puts it.
[[nodiscard]] cv::Rect center_window(cv::Size from, cv::Size size) noexcept;

/// As torchvision's CenterCrop: what lies outside of the image is 0. Errors: bad_config for sizes out of range.
[[nodiscard]] expected<std::unique_ptr<transform>> make_center_crop(const center_crop_config& config,
                                                                    const image_shape& input);

} // namespace troupe
