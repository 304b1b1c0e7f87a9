/// Cuts a random square out of the zero-padded image.
#pragma once

#include "actors/augmenter/transform.hpp"
#include "actors/augmenter/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomCrop: pads all sides with `padding` zeros, then cuts a window whose corner is even over all that
/// fit. `size` 0 keeps the shape of `input`. Errors: bad_config for values out of range and a crop that does not fit.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_crop(const random_crop_config& config,
                                                                    const image_shape& input);

} // namespace troupe
