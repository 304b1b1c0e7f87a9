/// Augments without tuning: random operations out of a fixed set.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's TrivialAugmentWide on tensors. Errors: bad_config for values out of range and images that are not of
/// 8 bits and 1 or 3 channels.
[[nodiscard]] expected<std::unique_ptr<transform>> make_trivial_augment_wide(const trivial_augment_wide_config& config,
                                                                             const image_shape& input);

/// As torchvision's RandAugment on tensors. Errors: as above.
[[nodiscard]] expected<std::unique_ptr<transform>> make_rand_augment(const rand_augment_config& config,
                                                                     const image_shape& input);

} // namespace troupe
