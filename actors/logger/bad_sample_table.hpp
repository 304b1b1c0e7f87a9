/// bad_samples.csv: the samples that could not be made, each once, over all resumes.
#pragma once

#include "actors/logger/append_file.hpp"
#include "actors/support/expected.hpp"
#include "messages/run_events.hpp"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

namespace troupe {

/// Columns id, sample, data, epoch (of the first time, 1-based), stage, reason. Owned by one thread.
class bad_sample_table {
public:
  explicit bad_sample_table(std::string path) : path_(std::move(path)) {}

  /// Makes the file, or takes over the one that an earlier process left. Errors: io_error; mismatch if that has other
  /// columns.
  expected<void> open();

  /// Adds a row unless that sample has one already, from this process or an earlier one. Opens the file if it is not.
  expected<void> add(const bad_sample_found& fact);

private:
  /// Learns the rows of an earlier process; returns how many bytes of it are whole rows.
  expected<std::size_t> take_over(std::string_view text);

  std::string path_;
  std::optional<append_file> file_;
  std::set<std::pair<std::string, std::string>> known_; ///< Data and id, as written.
};

} // namespace troupe
