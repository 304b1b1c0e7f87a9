/// Where a run's data lie, seen from here: a config's paths are relative to the folder that the run was started in.
#pragma once

#include "app/config/run_config.hpp"

#include <optional>
#include <string>

namespace troupe {

/// Returns the path of the config that the run in `run_folder` went on under last: a resumed run may have another one
/// than it began with, and its checkpoints know.
[[nodiscard]] std::string config_path_of(const std::string& run_folder);

/// Returns the folder that the run in `run_folder` was started in, as `run.dir` tells if it is relative. Nothing if it
/// is not, leads upwards, or the run has been moved out of it.
[[nodiscard]] std::optional<std::string> started_in(const std::string& run_folder, const run_section& run);

/// True if some data set is named by a relative path.
[[nodiscard]] bool has_relative_data(const data_section& data);

/// Returns `data` with paths relative to `folder` made absolute.
[[nodiscard]] data_section with_data_in(data_section data, const std::string& folder);

} // namespace troupe
