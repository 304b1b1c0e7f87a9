/// Brings plugins into the process.
#pragma once

#include "actors/support/expected.hpp"

#include <string>
#include <vector>

namespace troupe {

/// A plugin that has been loaded; it stays until the process ends.
struct loaded_plugin {
  std::string name;    ///< Its own: snake_case.
  std::string version; ///< Its own.
  std::string path;    ///< Absolute, links resolved.
  std::string digest;  ///< Of the file's bytes; one word. Another one: another build.
};

/// Loads the plugin that `wanted` names: a path (with a slash; relative ones start at `folder`, then at the working folder), or
/// a name, for which NAME.so and libNAME.so are looked for in `folder`, the working folder, the folders of TROUPE_PLUGIN_PATH
/// (separated by colons) and those beside the program. A file that is loaded already is no error and nothing happens.
/// Everything is checked before any code of the plugin is called; a plugin that is refused leaves nothing behind.
/// Main thread, before the first actor is spawned. Errors: not_found, naming all places; mismatch for one that was built
/// for another program, with what was expected and found and what to do; bad_config for names that are taken or malformed;
/// plugin_failed for one that throws.
[[nodiscard]] expected<loaded_plugin> load_plugin(const std::string& wanted, const std::string& folder);

/// All that are loaded, in the order of loading.
[[nodiscard]] const std::vector<loaded_plugin>& loaded_plugins();

} // namespace troupe
