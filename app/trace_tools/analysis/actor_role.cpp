#include "app/trace_tools/analysis/actor_role.hpp"

#include <charconv>

namespace troupe {

actor_role role_of(std::string_view actor_name) {
  constexpr std::string_view prefix = "validation ";
  actor_role out;
  out.in_validation = actor_name.starts_with(prefix);
  if (out.in_validation)
    actor_name.remove_prefix(prefix.size());
  const auto hash = actor_name.rfind('#');
  out.role = actor_name.substr(0, hash);
  if (hash == std::string_view::npos)
    return out;
  const auto digits = actor_name.substr(hash + 1);
  int index = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), index);
  if (error == std::errc{} && end == digits.data() + digits.size())
    out.index = index;
  else
    out.role = actor_name;
  return out;
}

} // namespace troupe
