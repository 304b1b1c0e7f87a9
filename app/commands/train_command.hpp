/// `troupe train`: one run, from the config to the exit code.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace troupe {

struct train_options {
  std::string config_path;
  std::vector<std::string> overrides; ///< "optimizer.lr=0.1"
  std::vector<std::string> plugins;   ///< Loaded besides the config's.
  std::optional<std::string> resume;  ///< "newest", "auto" or the path of a run folder; unset: a fresh run.
};

/// Runs it and returns the exit code: 0 done; 1 failed; 2 config refused; 3 stopped by policy; 4 done, but something was
/// lost on the way; 130, 143 interrupted. Signals must have been taken over.
int train_command(const train_options& options);

} // namespace troupe
