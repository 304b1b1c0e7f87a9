/// The transforms that a config can list.
#pragma once

#include "app/config/item_list.hpp"

#include <string>
#include <vector>

namespace troupe {

/// One transform: its name, its parameters and what they are without being set.
using transform_spec = item_spec<transform_config>;

/// Returns the built-in transforms in the order of the alternatives of `transform_config`.
[[nodiscard]] const std::vector<transform_spec>& transform_specs();

/// Returns the transforms that plugins have brought up to now.
[[nodiscard]] std::vector<transform_spec> plugin_transform_specs();

/// A list of transforms, each `name` (with defaults) or `{name: {parameter: value}}`.
[[nodiscard]] codec<std::vector<transform_config>> transform_list();

} // namespace troupe
