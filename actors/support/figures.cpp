#include "actors/support/figures.hpp"

#include <array>
#include <cmath>
#include <cstdio>

namespace troupe {

namespace {

template <class... Ts>
std::string formatted(const char* format, Ts... values) {
  std::array<char, 400> text{}; // The largest double has 309 digits.
  const int length = std::snprintf(text.data(), text.size(), format, values...);
  return length < 0 ? std::string{} : std::string(text.data());
}

} // namespace

std::string fixed_text(double value, int num_decimals) {
  return formatted("%.*f", num_decimals, value);
}

std::string short_text(double value) {
  return formatted("%.4g", value);
}

std::string percent_text(double share) {
  return formatted("%.2f %%", 100 * share);
}

std::string duration_text(double seconds) {
  constexpr double longest = 1e9;
  if (!(seconds >= 0 && seconds < longest))
    return "?";
  const auto whole = std::lround(seconds);
  const auto days = whole / 86400, hours = whole / 3600 % 24, minutes = whole / 60 % 60, rest = whole % 60;
  if (days > 0)
    return formatted("%ldd %ld:%02ld:%02ld", days, hours, minutes, rest);
  if (hours > 0)
    return formatted("%ld:%02ld:%02ld", hours, minutes, rest);
  return formatted("%ld:%02ld", minutes, rest);
}

std::string bytes_text(double bytes) {
  constexpr std::array units{"B", "kB", "MB", "GB", "TB"};
  std::size_t unit = 0;
  while (bytes >= 999.95 && unit + 1 < units.size()) {
    bytes /= 1000;
    ++unit;
  }
  return fixed_text(bytes, unit == 0 ? 0 : 1) + ' ' + units[unit];
}

std::string printable(std::string_view text) {
  std::string result(text);
  for (std::size_t i = 0; i < result.size(); ++i) {
    const auto byte = static_cast<unsigned char>(result[i]);
    if (byte < 0x20 || byte == 0x7f)
      result[i] = '?';
    // U+0080 to U+009F are controls too: C2 80 to C2 9F in UTF-8.
    if (i > 0 && result[i - 1] == '\xc2' && byte >= 0x80 && byte < 0xa0)
      result.replace(i - 1, 2, "??");
  }
  return result;
}

} // namespace troupe
