/// Takes the colours away, always or now and then.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// As torchvision's Grayscale on tensors; the number of channels stays. Errors: bad_config for another number of channels
/// and images that are not of 8 bits and 1 or 3 channels.
[[nodiscard]] expected<std::unique_ptr<transform>> make_grayscale(const grayscale_config& config,
                                                                  const image_shape& input);

/// As torchvision's RandomGrayscale on tensors. Errors: bad_config for `p` outside 0..1 and images that are not of 8 bits
/// and 1 or 3 channels.
[[nodiscard]] expected<std::unique_ptr<transform>> make_random_grayscale(const random_grayscale_config& config,
                                                                         const image_shape& input);

} // namespace troupe
