/// The transforms that a config can list.
#pragma once

#include "app/config/key.hpp"

#include <string>
#include <vector>

namespace troupe {

/// One transform: its name, its parameters and what they are without being set.
struct transform_spec {
  std::string name;
  std::string about;
  transform_config defaults;
  std::vector<basic_key<transform_config>> keys;
};

/// Returns all transforms in the order of the alternatives of `transform_config`.
[[nodiscard]] const std::vector<transform_spec>& transform_specs();

/// A list of transforms, each `name` (with defaults) or `{name: {parameter: value}}`.
[[nodiscard]] codec<std::vector<transform_config>> transform_list();

} // namespace troupe
