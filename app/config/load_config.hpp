/// From a file and overrides to a config that can be run.
#pragma once

#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns the config in the file at `path` with `overrides` ("optimizer.lr=0.1") laid over it, complete and checked.
/// The plugins that it lists are loaded first, then `more_plugins` (relative to the working folder); the result's
/// `plugins` are their absolute paths, each once. A plugin that cannot be loaded is the only kind of problem that is told
/// then: what it would have brought is not known. Main thread, as `load_plugin`.
/// The failure's text holds all problems, a line each: "file:line:column: key: found X, expected Y". Blocks while reading.
[[nodiscard]] expected<run_config> load_config(const std::filesystem::path& path,
                                               const std::vector<std::string>& overrides = {},
                                               const std::vector<std::string>& more_plugins = {});

/// The same for a text in memory; `source` is what messages call it: a path, whose folder its plugins are relative to.
[[nodiscard]] expected<run_config> parse_config(std::string_view text, const std::string& source,
                                                const std::vector<std::string>& overrides = {},
                                                const std::vector<std::string>& more_plugins = {});

} // namespace troupe
