/// Whether the parameters that a component describes are ones that a config can set.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <string>
#include <vector>

namespace troupe {

/// What is wrong with names, bounds and defaults: "parameter \"clip\": its default 200 is above its bound 100".
[[nodiscard]] std::vector<std::string> parameter_problems(const parameter_list& list);

} // namespace troupe
