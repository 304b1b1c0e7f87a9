/// Mirrors the image left to right, now and then.
#pragma once

#include "actors/augmenter/transform.hpp"
#include "actors/augmenter/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomHorizontalFlip. Errors: bad_config for `p` outside 0..1.
[[nodiscard]] expected<std::unique_ptr<transform>>
make_random_horizontal_flip(const random_horizontal_flip_config& config, const image_shape& input);

} // namespace troupe
