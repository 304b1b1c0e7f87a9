/// The bytes of a config, before they are YAML.
#pragma once

#include "actors/support/expected.hpp"
#include "app/config/problem.hpp"

#include <filesystem>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the bytes of the file at `path`. Fails with `not_found` (missing), `io_error` (unreadable) or `bad_config` (a
/// folder; more than `max_source_bytes`). Blocks while reading.
[[nodiscard]] expected<std::string> read_source(const std::filesystem::path& path);

/// Returns true if `text` is UTF-8 without control characters and no line is indented by tabs; adds a problem for the
/// first place that is not.
[[nodiscard]] bool check_source(std::string_view text, const position& start, problem_list& problems);

} // namespace troupe
