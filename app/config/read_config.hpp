/// From a YAML tree to the structs.
#pragma once

#include "app/config/document.hpp"
#include "app/config/run_config.hpp"

namespace troupe {

/// Returns the config that `root` describes; what it leaves out has its default. Every unknown key, wrong type and value
/// out of range becomes a problem; the result counts only if there is none.
[[nodiscard]] run_config read_config(const node& root, problem_list& problems);

} // namespace troupe
