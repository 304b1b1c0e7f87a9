/// A key that names one of several kinds, and its sibling `options` for those kinds that plugins have brought.
#pragma once

#include "app/config/item_list.hpp"

#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// What stands where kinds of plugins are listed and there are none.
inline constexpr const char* no_plugin_kind = "one that a plugin brings";

/// The two keys' members within `Part`, and the kinds of plugins.
template <class Part>
struct optioned_kind {
  std::string selector; ///< Name of the key that names the kind.
  std::string Part::*name;
  parameters Part::*options;
  std::vector<item_spec<parameters>> specs;
};

/// Adds the key that names the kind: one of `built_in`, or a plugin's, whose options then have their defaults.
template <class Root, class Part>
basic_key<Root>& add_kind(key_adder<Root, Part>& add, const optioned_kind<Part>& kind,
                          std::vector<std::string> built_in, std::string about) {
  for (const auto& spec : kind.specs)
    built_in.push_back(spec.name);
  auto names = one_of(built_in);
  auto read = [kind, inner = names.read](const node& x, const std::string& path, Part& part, problem_list& problems) {
    auto name = inner(x, path, problems);
    if (!name)
      return;
    const auto* spec = find_item(kind.specs, *name);
    part.*kind.options = spec ? spec->defaults : parameters{};
    part.*kind.name = std::move(*name);
  };
  auto write = [member = kind.name, inner = names.write](const Part& part) { return inner(part.*member); };
  return add.whole_part(kind.selector, std::move(names.spec), std::move(about), std::move(read), std::move(write));
}

/// Adds the key `options`, which counts only for the kinds of plugins. @pre It is read after the key that names the kind.
template <class Root, class Part>
basic_key<Root>& add_options(key_adder<Root, Part>& add, const optioned_kind<Part>& kind, std::string about) {
  value_spec spec;
  spec.kind = value_kind::map;
  spec.expected = "a map of parameters";
  auto read = [kind](const node& x, const std::string& path, Part& part, problem_list& problems) {
    if (const auto* of = find_item(kind.specs, part.*kind.name))
      read_parameters(x, of->keys, path, part.*kind.options, problems);
  };
  auto write = [kind](const Part& part) {
    const auto* of = find_item(kind.specs, part.*kind.name);
    return fmt::format("{{{}}}", of ? write_parameters(of->keys, part.*kind.options) : std::string{});
  };
  auto names = names_of(kind.specs);
  if (names.empty())
    names.push_back(no_plugin_kind);
  return add.whole_part("options", std::move(spec), std::move(about), std::move(read), std::move(write))
    .only_with(std::move(names), kind.selector);
}

} // namespace troupe
