/// `key=value` arguments of the command line, laid over a config file.
#pragma once

#include "app/config/document.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Applies `overrides` ("optimizer.lr=0.1", "data.train={dataset: synthetic}") to `root` in order: the value is YAML and
/// replaces what stands at the dotted path. Positions of replaced values name the override. Malformed overrides become
/// problems; whether the keys exist is checked when `root` is read.
void apply_overrides(const std::vector<std::string>& overrides, node& root, problem_list& problems);

} // namespace troupe
