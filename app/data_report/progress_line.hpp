/// One line on the terminal that says how far a long job is.
#pragma once

#include <chrono>
#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Writes to stderr if that is a terminal, else nowhere. Owned by one thread.
class progress_line {
public:
  progress_line();
  progress_line(const progress_line&) = delete;
  progress_line& operator=(const progress_line&) = delete;

  /// Leaves the terminal as it was.
  ~progress_line() { clear(); }

  /// Shows "what  [####    ] 123/400", in the place of what is shown; most calls do nothing, since people read slowly.
  void show(std::string_view what, std::uint64_t done, std::uint64_t total);

  /// Takes the line away.
  void clear();

private:
  bool on_terminal_;
  std::size_t shown_ = 0; ///< Characters on the terminal.
  std::chrono::steady_clock::time_point last_;
};

/// The line's text: pure.
[[nodiscard]] std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total);

} // namespace troupe
