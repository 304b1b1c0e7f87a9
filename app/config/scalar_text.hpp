/// Numbers, sizes, times and texts as a config spells them.
///
/// Each `parse_*` takes the whole text or nothing; each `print_*` gives a text that parses to the same value.
#pragma once

#include "app/config/run_config.hpp"

#include <charconv>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

namespace troupe {

/// Returns a decimal whole number; nothing if it is spelt otherwise (1e3, 0x10, 1_000) or does not fit `Int`.
template <class Int>
[[nodiscard]] std::optional<Int> parse_whole(std::string_view text) {
  if (text.size() > 1 && text.front() == '+' && text[1] != '-')
    text.remove_prefix(1);
  Int value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc{} || end != text.data() + text.size())
    return std::nullopt;
  return value;
}

/// Returns a finite number. Overflow, underflow, NaN and infinity are nothing.
[[nodiscard]] std::optional<double> parse_number(std::string_view text);

/// Returns the shortest text that reads back to the same bits, as every YAML reader takes it for a number ("1.0e-08").
[[nodiscard]] std::string print_number(double x);

/// Returns bytes: "4096", "256MiB"; KiB, MiB, GiB (powers of 1024), kB, MB, GB (powers of 1000).
[[nodiscard]] std::optional<std::uint64_t> parse_bytes(std::string_view text);
[[nodiscard]] std::string print_bytes(std::uint64_t x);

/// Returns a time: a whole number and its unit, ms, s, min or h.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_duration(std::string_view text);
[[nodiscard]] std::string print_duration(std::chrono::milliseconds x);

/// Returns "0" (never), "N" (steps) or "Nep" (epochs). "0ep" is nothing.
[[nodiscard]] std::optional<interval> parse_interval(std::string_view text);
[[nodiscard]] std::string print_interval(interval x);

/// Returns `text` as a YAML scalar that every reader takes for a text; quoted only where it must be.
[[nodiscard]] std::string print_text(const std::string& text);

} // namespace troupe
