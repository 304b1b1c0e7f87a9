/// Parameters for tests, checked as a config's are.
#pragma once

#include "actors/support/components/component_registry.hpp"

#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe::testing {

/// What a config would give: `{{"clip", 2.5}, {"tiles", 4}}`. Whatever is left out has its default.
using settings = std::vector<std::pair<std::string, parameter_value>>;

/// The values for `list`. A whole number is fine where a number is expected. Throws std::invalid_argument for a name that
/// is not in the list, a value of another kind, out of range or not among the choices.
[[nodiscard]] parameters values_of(const parameter_list& list, const settings& given);

/// The component or actor of that name in one of the lists of a plugin. Throws std::invalid_argument if there is none.
template <class Kind>
[[nodiscard]] const Kind& offered(const std::vector<Kind>& list, std::string_view name) {
  std::string names;
  for (const auto& each : list) {
    if (each.name == name)
      return each;
    names += (names.empty() ? "" : ", ") + each.name;
  }
  throw std::invalid_argument("there is no \"" + std::string{name} + "\", only: " + names);
}

/// Makes a component: `made(offered(all.decoders, "raw12"), {{"white", 4095}})`. Further arguments are those of its
/// `make`. Throws what it throws.
template <class Make, class... Args>
[[nodiscard]] auto made(const component<Make>& what, const settings& given, Args&&... args) {
  return what.make(values_of(what.parameters, given), std::forward<Args>(args)...);
}

} // namespace troupe::testing
