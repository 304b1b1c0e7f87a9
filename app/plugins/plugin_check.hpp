/// Tries out what a plugin offers, on made-up input.
#pragma once

#include "app/plugins/check_log.hpp"
#include "app/plugins/plugin_loader.hpp"

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Parameters that are tried in place of the defaults, by kind ("transform") and name.
using given_parameters = std::map<std::pair<std::string, std::string>, parameters>;

struct check_options {
  std::uint64_t num_samples = 200; ///< That each component is tried on; at least 1.
  std::string sample_path;         ///< A file of a format that the plugin decodes; empty: none.
  given_parameters given;
  unsigned seconds = 300; ///< For one component; then it counts as hung.
};

/// Tries every component of the plugin, each in a process of its own: whatever it does is a finding. Blocks. Call it before
/// this process has threads.
[[nodiscard]] std::vector<finding> check_plugin(const loaded_plugin& plugin, const check_options& options);

struct checked_plugin {
  loaded_plugin plugin;
  std::vector<finding> findings;
};

[[nodiscard]] std::string findings_text(const std::vector<finding>& findings);
/// An object {"plugins": [{..., "findings": [...]}], "refused": [...]}; `refused`: why others could not be loaded.
[[nodiscard]] std::string findings_json(const std::vector<checked_plugin>& plugins,
                                        const std::vector<std::string>& refused);

} // namespace troupe
