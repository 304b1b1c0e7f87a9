/// From the structs to YAML: the resolved config that is stored with every run and checkpoint.
#pragma once

#include "app/config/run_config.hpp"

#include <string>

namespace troupe {

/// Returns every key with its value, as YAML in blocks, in a fixed order. Reads back to the identical config.
[[nodiscard]] std::string write_config(const run_config& config);

} // namespace troupe
