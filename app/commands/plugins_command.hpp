/// `troupe plugins`: what plugins offer, whether they keep their word, and the beginnings of a new one.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

struct plugins_options {
  std::vector<std::string> files; ///< Paths or names; empty: all that are found.
  bool json = false;
  bool check = false;                  ///< Try out what `files` offer.
  std::string config_path;             ///< For `check`: parameters are taken from it; empty: defaults.
  std::string sample_path;             ///< For `check`: a file that decoders are tried on; empty: none.
  std::uint64_t num_samples = 200;     ///< For `check`: at least 1.
  std::optional<std::string> new_name; ///< Name of a plugin to be begun; then `files` and `check` do not count.
  std::string new_folder = ".";        ///< Where.
};

/// Prints to `out`, and what went wrong to `err`. Call it before this process has threads. Returns the exit code: 0; 1 if
/// a check found something bad, or files cannot be written; 2 if a plugin, the
/// config or the name of a new plugin is refused.
int plugins_command(const plugins_options& options, std::ostream& out, std::ostream& err);

} // namespace troupe
