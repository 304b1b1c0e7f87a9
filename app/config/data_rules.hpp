/// The rules between the keys of `data` and `transforms`; part of `find_violations`.
#pragma once

#include "app/config/validate.hpp"

#include <vector>

namespace troupe {

/// Adds the broken rules about the data sets, class names and transforms.
void check_data(const run_config& config, std::vector<violation>& out);

} // namespace troupe
