/// The rules about what plugins bring, and about the figure that checkpoints are judged by; part of `find_violations`.
#pragma once

#include "app/config/validate.hpp"

#include <vector>

namespace troupe {

/// Adds the broken rules about lists of components and actors.
void check_components(const run_config& config, std::vector<violation>& out);

} // namespace troupe
