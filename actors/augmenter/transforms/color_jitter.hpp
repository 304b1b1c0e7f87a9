/// Changes brightness, contrast, saturation and hue.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's ColorJitter on tensors: one factor of each, in random order. Errors: bad_config for values out of range
/// and images that are not of 8 bits and 1 or 3 channels.
[[nodiscard]] expected<std::unique_ptr<transform>> make_color_jitter(const color_jitter_config& config,
                                                                     const image_shape& input);

} // namespace troupe
