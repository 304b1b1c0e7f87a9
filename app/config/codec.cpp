#include "app/config/codec.hpp"

#include <cctype>
#include <cmath>

namespace troupe {

namespace {

constexpr std::size_t max_text_bytes = 4096;

std::string describe_range(const number_range& range) {
  std::string out = "a number";
  if (std::isfinite(range.low))
    out += fmt::format(" {} {}", range.low_excluded ? ">" : ">=", print_number(range.low));
  if (std::isfinite(range.high))
    out += fmt::format("{} {} {}", std::isfinite(range.low) ? " and" : "",
                       range.high_excluded ? "<" : "<=", print_number(range.high));
  return out;
}

bool is_inside(double x, const number_range& range) {
  const bool above = range.low_excluded ? x > range.low : x >= range.low;
  const bool below = range.high_excluded ? x < range.high : x <= range.high;
  return above && below;
}

bool has_control(std::string_view text) {
  return std::any_of(text.begin(), text.end(), [](unsigned char c) { return c < 0x20 || c == 0x7F; });
}

reading<std::string> accept_text(std::string_view text) {
  if (text.size() > max_text_bytes)
    return {std::nullopt, fmt::format("at most {} bytes", max_text_bytes)};
  if (has_control(text))
    return {std::nullopt, "no line breaks, tabs or other control characters"};
  return {std::string{text}, {}};
}

value_spec text_spec(const std::string& what) {
  value_spec spec;
  spec.expected = what;
  return spec;
}

} // namespace

void add_mismatch(const node& found, const std::string& path, const value_spec& spec, const std::string& hint,
                  problem_list& problems) {
  problems.add(
    found.where, path,
    fmt::format("found {}, expected {}{}{}", describe(found), spec.expected, hint.empty() ? "" : "; ", hint));
}

codec<double> number(number_range range) {
  value_spec spec;
  spec.kind = value_kind::number;
  spec.expected = describe_range(range);
  spec.low = std::isfinite(range.low) ? print_number(range.low) : "";
  spec.high = std::isfinite(range.high) ? print_number(range.high) : "";
  spec.low_excluded = range.low_excluded;
  spec.high_excluded = range.high_excluded;
  auto parse = [range](std::string_view digits) -> reading<double> {
    const auto value = parse_number(digits);
    if (!value || !is_inside(*value, range))
      return {};
    return {value, {}};
  };
  return scalar_codec<double>(std::move(spec), quoting::refused, parse, print_number);
}

codec<bool> boolean() {
  value_spec spec;
  spec.kind = value_kind::boolean;
  spec.expected = "true or false";
  auto parse = [](std::string_view word) -> reading<bool> {
    if (word == "true" || word == "false")
      return {word == "true", {}};
    std::string lower{word};
    std::transform(lower.begin(), lower.end(), lower.begin(),
                   [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
    if (lower == "true" || lower == "yes" || lower == "on" || lower == "y" || lower == "1")
      return {std::nullopt, "write true"};
    if (lower == "false" || lower == "no" || lower == "off" || lower == "n" || lower == "0")
      return {std::nullopt, "write false"};
    return {};
  };
  return scalar_codec<bool>(std::move(spec), quoting::refused, parse,
                            [](const bool& x) { return std::string{x ? "true" : "false"}; });
}

codec<std::string> text(const std::string& what) {
  return scalar_codec<std::string>(text_spec(what), quoting::allowed, accept_text, print_text);
}

codec<std::string> folder_name() {
  auto parse = [](std::string_view name) -> reading<std::string> {
    if (name.empty() || name == "." || name == ".." || name.size() > 200 || name.find('/') != std::string_view::npos)
      return {};
    return accept_text(name);
  };
  return scalar_codec<std::string>(text_spec("a folder name (1 to 200 bytes, no slash)"), quoting::allowed, parse,
                                   print_text);
}

codec<std::string> device() {
  auto spec = text_spec("auto, cpu or cuda:N (N from 0 to 1023)");
  spec.kind = value_kind::choice;
  spec.choices = {"auto", "cpu", "cuda:0"};
  auto parse = [](std::string_view name) -> reading<std::string> {
    constexpr std::string_view prefix = "cuda:";
    if (name == "auto" || name == "cpu")
      return {std::string{name}, {}};
    if (name == "cuda" || name == "gpu")
      return {std::nullopt, "write cuda:0"};
    const auto index =
      name.substr(0, prefix.size()) == prefix ? parse_whole<unsigned>(name.substr(prefix.size())) : std::nullopt;
    if (!index || *index > 1023 || std::to_string(*index) != name.substr(prefix.size()))
      return {};
    return {std::string{name}, {}};
  };
  return scalar_codec<std::string>(std::move(spec), quoting::allowed, parse, print_text);
}

codec<std::uint64_t> bytes(std::uint64_t low, std::uint64_t high) {
  value_spec spec;
  spec.kind = value_kind::bytes;
  spec.low = print_bytes(low);
  spec.high = print_bytes(high);
  spec.expected = fmt::format("bytes from {} to {}, such as 256MiB", spec.low, spec.high);
  auto parse = [low, high](std::string_view digits) -> reading<std::uint64_t> {
    const auto value = parse_bytes(digits);
    if (!value)
      return {std::nullopt, "a whole number with KiB, MiB, GiB, kB, MB, GB or nothing after it"};
    if (*value < low || *value > high)
      return {};
    return {value, {}};
  };
  return scalar_codec<std::uint64_t>(std::move(spec), quoting::refused, parse, print_bytes);
}

codec<std::chrono::milliseconds> duration(std::chrono::milliseconds low, std::chrono::milliseconds high) {
  value_spec spec;
  spec.kind = value_kind::duration;
  spec.low = print_duration(low);
  spec.high = print_duration(high);
  spec.expected = fmt::format("a time from {} to {}, such as 60s", spec.low, spec.high);
  auto parse = [low, high](std::string_view digits) -> reading<std::chrono::milliseconds> {
    const auto value = parse_duration(digits);
    if (!value)
      return {std::nullopt, "a whole number with ms, s, min or h after it"};
    if (*value < low || *value > high)
      return {};
    return {value, {}};
  };
  return scalar_codec<std::chrono::milliseconds>(std::move(spec), quoting::refused, parse, print_duration);
}

codec<interval> every() {
  value_spec spec;
  spec.kind = value_kind::interval;
  spec.low = "0";
  spec.expected = "0 (never), N (steps) or Nep (epochs)";
  auto parse = [](std::string_view digits) -> reading<interval> {
    const auto value = parse_interval(digits);
    return {value, value ? "" : digits == "0ep" ? "write 0" : whole_number_hint(digits)};
  };
  return scalar_codec<interval>(std::move(spec), quoting::refused, parse, print_interval);
}

std::string whole_number_hint(std::string_view text) {
  const auto value = parse_number(text);
  if (!value || text.find_first_of(".eE") == std::string_view::npos)
    return {};
  constexpr double exact = 9007199254740992.0; // 2^53: every whole number below is a double
  if (std::trunc(*value) == *value && std::abs(*value) < exact)
    return fmt::format("write {}", static_cast<std::int64_t>(*value));
  return "no fraction";
}

codec<std::string> one_of(const std::vector<std::string>& names) {
  std::vector<std::pair<std::string, std::string>> pairs;
  for (const auto& name : names)
    pairs.emplace_back(name, name);
  return choice<std::string>(std::move(pairs));
}

} // namespace troupe
