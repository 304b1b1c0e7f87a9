/// Data sets that plugins have brought.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"
#include "actors/support/components/component_registry.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set that `kind` makes of `config.options`. Everything but the samples is asked for here, once, checked
/// and kept: afterwards only `read` and `sample_name` call the plugin. A sample that it cannot read is a failure of that
/// sample (plugin_failed), as are raw pixels whose bytes do not fit the shape.
/// Errors: bad_data, naming the plugin and the value, for what it throws meanwhile and for a value that cannot be.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_plugin_dataset(const data_source_component& kind,
                                                                     const dataset_config& config,
                                                                     const std::vector<std::string>& classes);

} // namespace troupe
