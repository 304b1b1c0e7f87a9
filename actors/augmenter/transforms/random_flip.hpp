/// Mirrors the image, now and then.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomHorizontalFlip: left to right. Errors: bad_config for `p` outside 0..1.
[[nodiscard]] expected<std::unique_ptr<transform>>
make_random_horizontal_flip(const random_horizontal_flip_config& config, const image_shape& input);

/// As torchvision's RandomVerticalFlip: top to bottom. Errors: bad_config for `p` outside 0..1.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_vertical_flip(const random_vertical_flip_config& config,
                                                                             const image_shape& input);

} // namespace troupe
