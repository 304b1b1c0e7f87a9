/// Where plugins lie.
#pragma once

#include "actors/support/expected.hpp"

#include <string>
#include <vector>

namespace troupe {

/// The folders in which a plugin's name is looked for, in this order: `folder`, the working folder, those of
/// TROUPE_PLUGIN_PATH, the program's own, `plugins` in it and `../lib/troupe/plugins` from it. Each once.
[[nodiscard]] std::vector<std::string> plugin_folders(const std::string& folder);

/// Returns the file, absolute and with links resolved, that `wanted` names; see `load_plugin`. Errors: not_found, naming
/// every place.
[[nodiscard]] expected<std::string> find_plugin(const std::string& wanted, const std::string& folder);

/// All plugins in `plugin_folders`, also those that do not fit, by folder and then by name. Of two with one file name the
/// first counts: the other is not found by that name either.
[[nodiscard]] std::vector<std::string> plugins_on_path(const std::string& folder);

} // namespace troupe
