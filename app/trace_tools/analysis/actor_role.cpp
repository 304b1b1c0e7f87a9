#include "app/trace_tools/analysis/actor_role.hpp"

#include <algorithm>
#include <array>
#include <charconv>

namespace troupe {

namespace {

/// Roles that plugins' actors play, and what stands before them.
constexpr std::array<std::string_view, 4> roles_with_parts = {"augmenter", "stage", "relay", "listener"};

void take_part_off(actor_role& out) {
  const auto space = out.role.find(' ');
  if (space == std::string::npos)
    return;
  const auto role = std::string_view(out.role).substr(0, space);
  if (std::find(roles_with_parts.begin(), roles_with_parts.end(), role) == roles_with_parts.end())
    return;
  out.part = out.role.substr(space + 1);
  out.role.resize(space);
}

/// "augmenter mosaic#1" without its number, which is put into `out`.
std::string_view without_index(std::string_view name, actor_role& out) {
  const auto hash = name.rfind('#');
  if (hash == std::string_view::npos)
    return name;
  const auto digits = name.substr(hash + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error != std::errc{} || end != digits.data() + digits.size())
    return name;
  out.index = index;
  return name.substr(0, hash);
}

} // namespace

actor_role role_of(std::string_view actor_name) {
  constexpr std::string_view prefix = "validation ";
  actor_role out;
  out.in_validation = actor_name.starts_with(prefix);
  if (out.in_validation)
    actor_name.remove_prefix(prefix.size());
  out.role = without_index(actor_name, out);
  take_part_off(out);
  return out;
}

} // namespace troupe
