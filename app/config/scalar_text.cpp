#include "app/config/scalar_text.hpp"

#include <fmt/format.h>
#include <yaml-cpp/emitter.h>
#include <yaml-cpp/emittermanip.h>

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <limits>

namespace troupe {

namespace {

struct unit_of_measure {
  std::string_view name;
  std::uint64_t factor;
};

// Largest first, so that printing finds the shortest text.
constexpr std::array byte_units{unit_of_measure{"GiB", 1u << 30},
                                unit_of_measure{"MiB", 1u << 20},
                                unit_of_measure{"KiB", 1u << 10},
                                unit_of_measure{"GB", 1'000'000'000},
                                unit_of_measure{"MB", 1'000'000},
                                unit_of_measure{"kB", 1'000},
                                unit_of_measure{"", 1}};
constexpr std::array time_units{unit_of_measure{"h", 3'600'000}, unit_of_measure{"min", 60'000},
                                unit_of_measure{"s", 1'000}, unit_of_measure{"ms", 1}};

/// Returns a whole number times its unit; nothing if the unit is unknown or the product does not fit.
template <std::size_t N>
std::optional<std::uint64_t> parse_measure(std::string_view text, const std::array<unit_of_measure, N>& units) {
  const auto digits = std::min(text.find_first_not_of("0123456789"), text.size());
  const auto count = parse_whole<std::uint64_t>(text.substr(0, digits));
  const auto unit = std::find_if(units.begin(), units.end(),
                                 [name = text.substr(digits)](const unit_of_measure& x) { return x.name == name; });
  if (!count || unit == units.end() || *count > std::numeric_limits<std::uint64_t>::max() / unit->factor)
    return std::nullopt;
  return *count * unit->factor;
}

template <std::size_t N>
std::string print_measure(std::uint64_t x, const std::array<unit_of_measure, N>& units) {
  const auto unit =
    std::find_if(units.begin(), units.end(), [x](const unit_of_measure& u) { return x != 0 && x % u.factor == 0; });
  return unit == units.end() ? fmt::format("{}{}", x, units.back().name)
                             : fmt::format("{}{}", x / unit->factor, unit->name);
}

/// True if readers of YAML 1.1 or 1.2 take the plain text for a truth value or null.
bool is_reserved(std::string text) {
  std::transform(text.begin(), text.end(), text.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  constexpr std::array words{"true", "false", "yes", "no", "on", "off", "y", "n", "null", "nan", "inf"};
  return std::find(words.begin(), words.end(), text) != words.end();
}

bool is_plain(const std::string& text) {
  const auto first = static_cast<unsigned char>(text.empty() ? '-' : text.front());
  if (std::isalpha(first) == 0 && first != '/' && first != '_')
    return false;
  return !is_reserved(text) && text.back() != ':' && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return std::isalnum(c) != 0 || c == '_' || c == '-' || c == '.' || c == '/' || c == '+' || c == ':';
  });
}

} // namespace

std::optional<double> parse_number(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-')
    text.remove_prefix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size() || !std::isfinite(value))
    return std::nullopt;
  return value;
}

std::string print_number(double x) {
  auto text = fmt::format("{}", x);
  // YAML 1.1 takes 1e-08 for a text, 1.0e-08 for a number.
  if (const auto e = text.find('e'); e != std::string::npos && text.find('.') == std::string::npos)
    text.insert(e, ".0");
  return text;
}

std::optional<std::uint64_t> parse_bytes(std::string_view text) {
  return parse_measure(text, byte_units);
}

std::string print_bytes(std::uint64_t x) {
  return print_measure(x, byte_units);
}

std::optional<std::chrono::milliseconds> parse_duration(std::string_view text) {
  const auto count = parse_measure(text, time_units);
  if (!count || *count > static_cast<std::uint64_t>(std::numeric_limits<std::chrono::milliseconds::rep>::max()))
    return std::nullopt;
  return std::chrono::milliseconds{static_cast<std::chrono::milliseconds::rep>(*count)};
}

std::string print_duration(std::chrono::milliseconds x) {
  return x.count() < 0 ? fmt::format("{}ms", x.count())
                       : print_measure(static_cast<std::uint64_t>(x.count()), time_units);
}

std::optional<interval> parse_interval(std::string_view text) {
  constexpr std::string_view suffix = "ep";
  const bool in_epochs = text.size() > suffix.size() && text.substr(text.size() - suffix.size()) == suffix;
  if (in_epochs)
    text.remove_suffix(suffix.size());
  const auto count = parse_whole<std::uint64_t>(text);
  if (!count || (in_epochs && *count == 0))
    return std::nullopt;
  return interval{*count, in_epochs};
}

std::string print_interval(interval x) {
  return fmt::format("{}{}", x.count, x.in_epochs && x.count > 0 ? "ep" : "");
}

std::string print_text(const std::string& text) {
  if (is_plain(text))
    return text;
  YAML::Emitter out;
  out << YAML::DoubleQuoted << text;
  return out.c_str();
}

} // namespace troupe
