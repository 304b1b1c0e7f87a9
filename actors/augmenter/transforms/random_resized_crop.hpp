/// Cuts a box of random size and shape and resizes it.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_checks.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// Draws a box inside of an image of `size`, as torchvision's RandomResizedCrop: its share of the area even over `scale`,
/// the logarithm of width / height even over that of `ratio`, its corner even over all that fit. After 10 boxes that do
/// not fit: the largest in the middle whose shape `ratio` allows. @pre 0 < scale, ratio
[[nodiscard]] cv::Rect random_resized_crop_box(cv::Size size, const value_range& scale, const value_range& ratio,
                                               sample_rng& rng);

/// As torchvision's RandomResizedCrop; with `antialias` its results for PIL images. Errors: bad_config for values out of
/// range.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_resized_crop(const random_resized_crop_config& config,
                                                                            const image_shape& input);

} // namespace troupe
