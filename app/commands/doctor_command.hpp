/// `troupe doctor`: what this build and machine are, and how a run would use them.
#pragma once

#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// Prints versions, devices, limits and, with a config, the plan of threads. `plugins` are loaded besides the config's.
/// Returns the exit code: 0, or 2 if the config or a plugin is refused.
int doctor_command(const std::optional<std::string>& config_path, const std::vector<std::string>& overrides,
                   const std::vector<std::string>& plugins, std::ostream& out, std::ostream& err);

} // namespace troupe
