/// Turns, moves, scales and shears the image.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomAffine on tensors. Errors: bad_config for values out of range.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_affine(const random_affine_config& config,
                                                                      const image_shape& input);

} // namespace troupe
