/// Paths in commands that somebody may paste into a shell.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// `text` as one word of a POSIX shell: as it is where that does, else in single quotes.
[[nodiscard]] inline std::string shell_text(std::string_view text) {
  constexpr std::string_view plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./,:@%";
  if (!text.empty() && text.find_first_not_of(plain) == std::string_view::npos)
    return std::string{text};
  std::string quoted = "'";
  for (const char c : text)
    quoted += c == '\'' ? std::string{"'\\''"} : std::string{c};
  return quoted + "'";
}

} // namespace troupe
