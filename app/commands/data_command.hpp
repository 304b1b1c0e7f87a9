/// `troupe data`: what is in the data of a config, before anything is trained on them.
#pragma once

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

struct data_options {
  std::string config_path;
  std::vector<std::string> overrides; ///< "data.train.root=photos"
  std::vector<std::string> plugins;   ///< Loaded besides the config's.
  bool json = false;
  bool all_classes = false;
  std::uint64_t limit = 0;          ///< Look at the first so many samples of each set; 0: at all.
  std::string contact_sheet;        ///< PNG file to be written; empty: none.
  std::uint64_t sheet_samples = 64; ///< At least 1.
};

/// Prints the report to `out` and what went wrong to `err`. Writes no file but the contact sheet. Returns the exit code:
/// 0; 1 if a data set cannot be opened or the sheet not be written; 2 config refused; 3 if more samples are bad than
/// `pipeline.bad_samples` allows.
int data_command(const data_options& options, std::ostream& out, std::ostream& err);

} // namespace troupe
