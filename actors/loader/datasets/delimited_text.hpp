/// Tables as text: RFC 4180's CSV, and the same with tabs.
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Reads a table row by row. Fields may be quoted ("a ""b"", c" holds delimiters, quotes and line breaks); lines end with LF
/// or CRLF, and empty ones are skipped, as is a byte order mark.
class delimited_text {
public:
  /// `text` must outlive this.
  delimited_text(std::string_view text, char delimiter) noexcept;

  /// Puts the fields of the next row into `fields` and returns true; false behind the last row.
  /// Errors: bad_data for quotes that are not closed or stand within a field; the text starts with "line N: ".
  expected<bool> next(std::vector<std::string>& fields);

  /// Line, from 1 on, where the row that `next` gave last begins.
  [[nodiscard]] std::uint64_t line() const noexcept { return row_line_; }

private:
  expected<std::string> take_field();
  expected<std::string> take_quoted();
  [[nodiscard]] bool at_line_end() const noexcept;
  void skip_line_end() noexcept;
  [[nodiscard]] failure fail(std::uint64_t line, const std::string& what) const;

  std::string_view rest_;
  char delimiter_;
  std::uint64_t line_ = 1; ///< Of the start of `rest_`.
  std::uint64_t row_line_ = 0;
};

/// Returns the tab if the first line has one, else the comma.
[[nodiscard]] char guess_delimiter(std::string_view text) noexcept;

} // namespace troupe
