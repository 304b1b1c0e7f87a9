/// Opens the data set that a config names.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set `config.dataset`, a plugin's if there is no built-in one of that name, checked. `classes`: class names by id; empty: the data set says how many classes
/// there are. Blocks: reads files. Errors: bad_config for an unknown name, else what the data set says.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_dataset(const dataset_config& config,
                                                              const std::vector<std::string>& classes);

} // namespace troupe
