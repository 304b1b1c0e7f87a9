/// Steps on pixels that plugins have brought.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// Returns the registry's component of that name, made for `input`, as a transform. It works on a continuous image of
/// its own, which it may exchange for another one of the shape that it promised. What it throws, and a broken promise, is
/// the sample's failure (plugin_failed). Once it is disabled, images pass as they are; where the shape would be another,
/// they are refused.
/// Errors: bad_config, with the component's name, for one that is unknown, cannot be made, or promises a shape that no
/// image can have.
[[nodiscard]] expected<std::unique_ptr<transform>> make_plugin_transform(const plugin_transform_config& config,
                                                                         const image_shape& input);

} // namespace troupe
