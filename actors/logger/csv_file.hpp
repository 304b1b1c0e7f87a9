/// An append-only CSV file with one header and one column of steps, that survives a resume.
#pragma once

#include "actors/logger/append_file.hpp"
#include "actors/logger/csv_text.hpp"
#include "actors/support/expected.hpp"

#include <cstdint>
#include <limits>
#include <optional>
#include <set>
#include <string>

namespace troupe {

/// What `csv_file::open` found in a file of an earlier process.
struct csv_repair {
  std::uint64_t rows_kept = 0;
  std::uint64_t rows_cut = 0;       ///< Past the resumed step.
  std::uint64_t rows_malformed = 0; ///< Wrong number of fields or no step in them: dropped.
  bool torn = false;                ///< The last row had no line end: dropped.
};

/// Owned by one thread. Every row is in the kernel's hands when `append` returns; nothing is buffered here.
class csv_file {
public:
  /// For `open`: resume, but cut no row. What a logger passes that was restarted while the run went on.
  static constexpr std::uint64_t keep_all_rows = std::numeric_limits<std::uint64_t>::max();

  /// Opens the file for rows of `columns`; one of them is called "step".
  /// Without `resumed_step` the file is created and must not exist. With it, a file that is there must have this
  /// header, and rows that are malformed, torn or past the step are cut off, atomically and only if there are any;
  /// where no file is, one is created. Fails with `mismatch` (other header; the file stays as it is),
  /// `bad_config` (no column "step") or `io_error`.
  [[nodiscard]] static expected<csv_file> open(std::string path, csv_fields columns,
                                               std::optional<std::uint64_t> resumed_step);

  /// Adds a row. Fails with `io_error`; the file then ends with the row before. Other errors: `mismatch` where the
  /// number of fields is not that of the header, `bad_data` where the step is no number.
  [[nodiscard]] expected<void> append(const csv_fields& row);

  /// Whether a row of that step is in the file.
  [[nodiscard]] bool has_step(std::uint64_t step) const { return steps_.contains(step); }

  [[nodiscard]] const csv_repair& repair() const noexcept { return repair_; }
  [[nodiscard]] const std::string& path() const noexcept { return file_.path(); }

private:
  csv_file(append_file file, std::size_t num_columns, std::size_t step_column)
    : file_(std::move(file)), num_columns_(num_columns), step_column_(step_column) {}

  append_file file_;
  std::size_t num_columns_;
  std::size_t step_column_;
  std::set<std::uint64_t> steps_;
  csv_repair repair_;
};

} // namespace troupe
