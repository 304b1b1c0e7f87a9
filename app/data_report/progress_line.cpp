#include "app/data_report/progress_line.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <unistd.h>

namespace troupe {

progress_line::progress_line() : on_terminal_(isatty(STDERR_FILENO) == 1) {}

void progress_line::show(std::string_view what, std::uint64_t done, std::uint64_t total) {
  constexpr std::chrono::milliseconds pace{100};
  if (!on_terminal_)
    return;
  const auto now = std::chrono::steady_clock::now();
  if (shown_ > 0 && now - last_ < pace)
    return;
  last_ = now;
  const auto text = progress_text(what, done, total);
  fmt::print(stderr, "\r{:<{}}", text, shown_);
  std::fflush(stderr);
  shown_ = std::max(shown_, text.size());
}

void progress_line::clear() {
  if (shown_ == 0)
    return;
  fmt::print(stderr, "\r{:{}}\r", "", shown_);
  std::fflush(stderr);
  shown_ = 0;
}

std::string progress_text(std::string_view what, std::uint64_t done, std::uint64_t total) {
  constexpr std::uint64_t width = 24;
  const auto full = total == 0 ? width : std::min(done, total) * width / total;
  return fmt::format("{}  [{:#<{}}{:{}}] {}/{}", what, "", full, "", width - full, done, total);
}

} // namespace troupe
