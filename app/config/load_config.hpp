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
/// The failure's text holds all problems, a line each: "file:line:column: key: found X, expected Y". Blocks while reading.
[[nodiscard]] expected<run_config> load_config(const std::filesystem::path& path,
                                               const std::vector<std::string>& overrides = {});

/// The same for a text in memory; `source` is what messages call it.
[[nodiscard]] expected<run_config> parse_config(std::string_view text, const std::string& source,
                                                const std::vector<std::string>& overrides = {});

} // namespace troupe
