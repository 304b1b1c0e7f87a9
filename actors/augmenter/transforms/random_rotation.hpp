/// Turns the image.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomRotation on tensors. With `expand` the output's size differs from image to image. Errors:
/// bad_config for values out of range.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_rotation(const random_rotation_config& config,
                                                                        const image_shape& input);

} // namespace troupe
