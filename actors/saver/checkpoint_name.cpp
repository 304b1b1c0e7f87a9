#include "actors/saver/checkpoint_name.hpp"

#include <algorithm>
#include <charconv>
#include <cinttypes>
#include <cstdio>
#include <ctime>
#include <system_error>

namespace troupe {

namespace {

constexpr std::size_t min_step_digits = 9;
constexpr std::size_t min_version_digits = 4;

bool is_digit(char c) noexcept {
  return c >= '0' && c <= '9';
}

bool take(std::string_view& text, std::string_view prefix) noexcept {
  if (!text.starts_with(prefix))
    return false;
  text.remove_prefix(prefix.size());
  return true;
}

// Takes a number with at least `min_digits` digits from the front; a longer one has no leading zero.
std::optional<std::uint64_t> take_number(std::string_view& text, std::size_t min_digits) noexcept {
  std::uint64_t result = 0;
  auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), result);
  auto num_digits = static_cast<std::size_t>(end - text.data());
  if (error != std::errc{} || num_digits < min_digits || (num_digits > min_digits && text.front() == '0'))
    return std::nullopt;
  text.remove_prefix(num_digits);
  return result;
}

// "20261130T190501Z"
bool is_time(std::string_view text) noexcept {
  constexpr std::string_view form = "00000000T000000Z";
  return std::equal(text.begin(), text.end(), form.begin(), form.end(),
                    [](char c, char as) { return as == '0' ? is_digit(c) : c == as; });
}

} // namespace

std::string checkpoint_name(const snapshot_tag& tag, std::chrono::system_clock::time_point now) {
  auto seconds = std::chrono::system_clock::to_time_t(std::chrono::floor<std::chrono::seconds>(now));
  std::tm utc = {};
  ::gmtime_r(&seconds, &utc);
  char time[sizeof "20261130T190501Z" + 8];
  std::strftime(time, sizeof time, "%Y%m%dT%H%M%SZ", &utc);
  char name[128];
  std::snprintf(name, sizeof name, "step-%09" PRIu64 "-v%04" PRIu64 "-%s", tag.step, tag.version, time);
  return name;
}

std::optional<checkpoint_number> parse_checkpoint_name(std::string_view name) {
  if (!take(name, "step-"))
    return std::nullopt;
  auto step = take_number(name, min_step_digits);
  if (!step || !take(name, "-v"))
    return std::nullopt;
  auto version = take_number(name, min_version_digits);
  if (!version || !take(name, "-") || !is_time(name))
    return std::nullopt;
  return checkpoint_number{*step, *version};
}

} // namespace troupe
