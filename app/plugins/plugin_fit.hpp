/// Whether a plugin was built for this program.
#pragma once

#include "app/plugins/plugin_file.hpp"

namespace troupe {

/// What this program is: what a plugin that fits says, name, version and digest apart.
[[nodiscard]] plugin_identity own_identity();

/// Compares `found`, from the file at `path`, with `own`: API, build, layout and, if the plugin uses it, LibTorch, in this
/// order. Errors: mismatch, with what was expected, what was found and what to do.
[[nodiscard]] expected<void> check_fit(const plugin_identity& found, const plugin_identity& own,
                                       const std::string& path);

} // namespace troupe
