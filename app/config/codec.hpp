/// How the values of one key are checked, read and written.
#pragma once

#include "app/config/document.hpp"
#include "app/config/nearest.hpp"
#include "app/config/scalar_text.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

namespace troupe {

enum class value_kind : std::uint8_t { text, boolean, whole, number, choice, bytes, duration, interval, list, map };

/// What a key accepts, for messages, the reference and tests.
struct value_spec {
  value_kind kind = value_kind::text;
  std::string expected; ///< "a number > 0": completes "expected ...".
  std::string low;      ///< Smallest value, as spelt in a config; empty: no bound.
  std::string high;     ///< Largest value; empty: no bound.
  bool low_excluded = false;
  bool high_excluded = false;
  std::vector<std::string> choices; ///< All values (choice), or the words allowed besides a number.
  std::size_t min_items = 0;        ///< list
  std::size_t max_items = 0;        ///< list
};

/// Checks, reads and writes values of type `T`.
template <class T>
struct codec {
  value_spec spec;
  /// Returns the value, or adds at least one problem under `path` and returns nothing.
  std::function<std::optional<T>(const node&, const std::string& path, problem_list&)> read;
  /// Returns a YAML text of one line that reads back to the same value.
  std::function<std::string(const T&)> write;
};

/// A value, or a hint (maybe empty) on how to spell it.
template <class T>
struct reading {
  std::optional<T> value;
  std::string hint;
};

/// Which scalars a codec takes: numbers and truth values are never quoted, names and texts may be.
enum class quoting : std::uint8_t { refused, allowed };

/// Adds "found X, expected Y; hint".
void add_mismatch(const node& found, const std::string& path, const value_spec& spec, const std::string& hint,
                  problem_list& problems);

/// Makes a codec of a function on the scalar's text.
template <class T, class Parse, class Write>
[[nodiscard]] codec<T> scalar_codec(value_spec spec, quoting quotes, Parse parse, Write write) {
  auto read = [spec, quotes, parse](const node& x, const std::string& path, problem_list& problems) {
    std::optional<T> none;
    if (x.kind != node_kind::scalar) {
      add_mismatch(x, path, spec, "", problems);
      return none;
    }
    reading<T> result = parse(x.text);
    if (x.quoted && quotes == quoting::refused) {
      add_mismatch(x, path, spec, result.value ? "remove the quotes" : "", problems);
      return none;
    }
    if (!result.value)
      add_mismatch(x, path, spec, result.hint, problems);
    return result.value;
  };
  return {std::move(spec), std::move(read), std::move(write)};
}

struct number_range {
  double low = -std::numeric_limits<double>::infinity();
  double high = std::numeric_limits<double>::infinity();
  bool low_excluded = false;
  bool high_excluded = false;
};

[[nodiscard]] codec<double> number(number_range range);
[[nodiscard]] codec<bool> boolean();
/// Any text of at most 4096 bytes without control characters; may be empty.
[[nodiscard]] codec<std::string> text(const std::string& what);
/// A text that can name a folder: not empty, no slash, not "." or "..".
[[nodiscard]] codec<std::string> folder_name();
/// auto | cpu | cuda:N
[[nodiscard]] codec<std::string> device();
[[nodiscard]] codec<std::uint64_t> bytes(std::uint64_t low, std::uint64_t high);
[[nodiscard]] codec<std::chrono::milliseconds> duration(std::chrono::milliseconds low, std::chrono::milliseconds high);
[[nodiscard]] codec<interval> every();

/// Returns how to spell a number that was written with a fraction or an exponent as digits; empty: it was neither.
[[nodiscard]] std::string whole_number_hint(std::string_view text);

/// Returns "a whole number from 1 to 9"; the ends of the type are no bounds worth telling.
template <class Int>
[[nodiscard]] std::string describe_whole(Int low, Int high) {
  const bool bounded = high != std::numeric_limits<Int>::max();
  if (std::is_signed_v<Int> && low == std::numeric_limits<Int>::min())
    return bounded ? fmt::format("a whole number <= {}", high) : "a whole number";
  return bounded ? fmt::format("a whole number from {} to {}", low, high) : fmt::format("a whole number >= {}", low);
}

/// A decimal whole number in [low, high].
template <class Int>
[[nodiscard]] codec<Int> whole(Int low, Int high = std::numeric_limits<Int>::max()) {
  value_spec spec;
  spec.kind = value_kind::whole;
  spec.low = std::to_string(low);
  spec.high = std::to_string(high);
  spec.expected = describe_whole(low, high);
  auto parse = [low, high](std::string_view digits) -> reading<Int> {
    const auto value = parse_whole<Int>(digits);
    if (!value || *value < low || *value > high)
      return {std::nullopt, whole_number_hint(digits)};
    return {value, {}};
  };
  return scalar_codec<Int>(std::move(spec), quoting::refused, parse, [](const Int& x) { return std::to_string(x); });
}

/// `auto`, stored as 0, or a whole number in [1, high].
template <class Int>
[[nodiscard]] codec<Int> whole_or_auto(Int high) {
  auto numbers = whole<Int>(1, high);
  auto spec = numbers.spec;
  spec.choices = {"auto"};
  spec.expected = "auto or " + spec.expected;
  auto parse = [high](std::string_view digits) -> reading<Int> {
    if (digits == "auto")
      return {Int{0}, {}};
    const auto value = parse_whole<Int>(digits);
    if (!value || *value < 1 || *value > high)
      return {std::nullopt, whole_number_hint(digits)};
    return {value, {}};
  };
  return scalar_codec<Int>(std::move(spec), quoting::refused, parse,
                           [](const Int& x) { return x == 0 ? std::string{"auto"} : std::to_string(x); });
}

/// One of a few names, each standing for a value.
template <class T>
[[nodiscard]] codec<T> choice(std::vector<std::pair<std::string, T>> names) {
  value_spec spec;
  spec.kind = value_kind::choice;
  for (const auto& [name, value] : names)
    spec.choices.push_back(name);
  spec.expected = (names.size() > 1 ? "one of " : "") + joined(spec.choices);
  auto parse = [names, all = spec.choices](std::string_view text_of) -> reading<T> {
    for (const auto& [name, value] : names)
      if (name == text_of)
        return {value, {}};
    const auto close = nearest(text_of, all);
    return {std::nullopt, close.empty() ? "" : fmt::format("did you mean {}?", close)};
  };
  auto write = [names](const T& x) {
    const auto i = std::find_if(names.begin(), names.end(), [&x](const auto& pair) { return pair.second == x; });
    return i == names.end() ? std::string{"\"\""} : print_text(i->first);
  };
  return scalar_codec<T>(std::move(spec), quoting::allowed, parse, write);
}

/// One of a few names, kept as the name.
[[nodiscard]] codec<std::string> one_of(const std::vector<std::string>& names);

/// A list of values that each pass `item`.
template <class T>
[[nodiscard]] codec<std::vector<T>> list_of(codec<T> item, std::size_t min_items, std::size_t max_items) {
  value_spec spec;
  spec.kind = value_kind::list;
  spec.min_items = min_items;
  spec.max_items = max_items;
  spec.expected = min_items == max_items
                    ? fmt::format("a list of {} values, each {}", min_items, item.spec.expected)
                    : fmt::format("a list of {} to {} values, each {}", min_items, max_items, item.spec.expected);
  auto read = [spec, item](const node& x, const std::string& path, problem_list& problems) {
    std::optional<std::vector<T>> none;
    if (x.kind != node_kind::list) {
      add_mismatch(x, path, spec, x.kind == node_kind::scalar ? "write it in brackets: [...]" : "", problems);
      return none;
    }
    if (x.items.size() < spec.min_items || x.items.size() > spec.max_items) {
      problems.add(x.where, path, fmt::format("found {} values, expected {}", x.items.size(), spec.expected));
      return none;
    }
    std::vector<T> values;
    for (std::size_t i = 0; i < x.items.size(); ++i)
      if (auto value = item.read(x.items[i], fmt::format("{}[{}]", path, i), problems))
        values.push_back(std::move(*value));
    return values.size() == x.items.size() ? std::optional{std::move(values)} : none;
  };
  auto write = [write_item = item.write](const std::vector<T>& values) {
    std::vector<std::string> texts;
    for (const auto& value : values)
      texts.push_back(write_item(value));
    return fmt::format("[{}]", joined(texts));
  };
  return {std::move(spec), std::move(read), std::move(write)};
}

} // namespace troupe
