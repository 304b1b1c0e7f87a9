/// Overwrites a random rectangle of the image, now and then.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's RandomErasing (Zhong et al., "Random Erasing Data Augmentation", 2017): an even share of the area and a
/// log-even aspect ratio (height / width), up to ten tries until the rectangle fits; if none does, nothing is erased.
/// Unlike there it works on bytes before they are normalised: `value` 0 is black, not the mean.
/// Errors: bad_config unless 0 <= p <= 1, 0 <= scale[0] <= scale[1] <= 1, 0 < ratio[0] <= ratio[1], 0 <= value <= 255.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_erasing(const random_erasing_config& config,
                                                                       const image_shape& input);

} // namespace troupe
