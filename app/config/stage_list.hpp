/// The key `pipeline.stages`: actors of plugins in the run.
#pragma once

#include "app/config/component_specs.hpp"
#include "app/config/run_config.hpp"
#include "app/config/validate.hpp"

#include <vector>

namespace troupe {

/// Returns the actors that plugins have brought up to now, each with its own parameters and those that all actors take.
[[nodiscard]] std::vector<item_spec<stage_use>> stage_specs();

/// A list of actors, each `name` (with defaults) or `{name: {parameter: value}}`.
[[nodiscard]] codec<std::vector<stage_use>> stage_list();

/// Adds what is wrong with the list: each actor once, as many instances as it may have, one augmenter at most.
void check_stages(const std::vector<stage_use>& stages, std::vector<violation>& out);

} // namespace troupe
