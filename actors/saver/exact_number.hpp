/// Floating-point numbers as text that gives the same bits back.
#pragma once

#include <charconv>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace troupe {

/// The shortest decimal text that reads back as exactly `x`; "inf", "-inf" and "nan" for what is no number.
[[nodiscard]] inline std::string exact_text(double x) {
  constexpr std::size_t longest = 32; // "-2.2250738585072014e-308" has 24.
  char text[longest];
  auto end = std::to_chars(text, text + longest, x).ptr;
  return {text, end};
}

/// Reads what `exact_text` wrote; nothing if any of `text` is not part of a number.
[[nodiscard]] inline std::optional<double> exact_number(std::string_view text) {
  double x = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), x);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return x;
}

} // namespace troupe
