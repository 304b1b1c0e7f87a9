/// From the config of a transform to the transform: the list of all of them.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// The transform's name in a config: "random_crop". Of a plugin's, it lives as long as `config`.
[[nodiscard]] const char* name_of(const transform_config& config) noexcept;

/// Returns the transform for images of `input`. Errors: bad_config, with the value and what was expected, for a transform
/// that cannot work on them; also for `normalize`, which is not a step but the end of a list.
[[nodiscard]] expected<std::unique_ptr<transform>> make_transform(const transform_config& config,
                                                                  const image_shape& input);

} // namespace troupe
