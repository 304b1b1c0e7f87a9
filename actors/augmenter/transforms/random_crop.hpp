/// Cuts a random window out of the padded image.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomCrop: pads all sides by `padding`, with `pad_if_needed` also the sides that are still too short,
/// then cuts a window whose corner is even over all that fit. `size` 0 keeps the shape of `input`. Errors: bad_config for
/// values out of range and a crop that fits no image; `apply`: bad_data for an image that is too small.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_crop(const random_crop_config& config,
                                                                    const image_shape& input);

} // namespace troupe
