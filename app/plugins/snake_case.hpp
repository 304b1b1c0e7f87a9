/// How everything that plugins bring is called.
#pragma once

#include <cstddef>
#include <string_view>

namespace troupe {

constexpr std::size_t max_name_bytes = 63;

/// Ends the message about a name that is none.
constexpr std::string_view name_rule = "expected a name in snake_case, such as random_fog, of at most 63 characters";

/// True for names such as "random_crop2": words of lower-case letters and digits, joined by single underscores, a letter
/// first; at most `max_name_bytes`.
[[nodiscard]] constexpr bool is_snake_case(std::string_view name) noexcept {
  constexpr std::string_view letters = "abcdefghijklmnopqrstuvwxyz";
  constexpr std::string_view all = "abcdefghijklmnopqrstuvwxyz0123456789_";
  return !name.empty() && name.size() <= max_name_bytes && letters.find(name.front()) != std::string_view::npos
         && name.back() != '_' && name.find("__") == std::string_view::npos
         && name.find_first_not_of(all) == std::string_view::npos;
}

} // namespace troupe
