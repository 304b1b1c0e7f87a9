/// The parameters of what plugins bring, as keys like all others.
#pragma once

#include "actors/support/components/parameters.hpp"
#include "app/config/key.hpp"

#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace troupe {

/// Returns how the values of one parameter are checked, read and written.
[[nodiscard]] codec<parameter_value> parameter_codec(const parameter_spec& spec);

/// Returns the text with a full stop at its end.
[[nodiscard]] std::string sentence(std::string text);

/// Returns a key for each parameter of `list`. `peek` and `touch` lead to the values within a `Root`.
template <class Root>
[[nodiscard]] std::vector<basic_key<Root>> parameter_keys(const parameter_list& list,
                                                          std::function<const parameters&(const Root&)> peek,
                                                          std::function<parameters&(Root&)> touch) {
  std::vector<basic_key<Root>> keys;
  for (const auto& parameter : list) {
    const auto values = parameter_codec(parameter);
    basic_key<Root> x;
    x.path = parameter.name;
    x.spec = values.spec;
    x.default_text = values.write(parameter.default_value);
    x.about = sentence(parameter.about);
    x.unit = parameter.unit;
    x.read = [name = parameter.name, read = values.read, touch](const node& value, const std::string& path, Root& root,
                                                                problem_list& problems) {
      if (auto result = read(value, path, problems))
        touch(root).set(name, std::move(*result));
    };
    x.write = [name = parameter.name, write = values.write, peek](const Root& root) -> std::optional<std::string> {
      const auto& all = peek(root).all();
      const auto found = all.find(name);
      return found == all.end() ? std::nullopt : std::optional{write(found->second)};
    };
    keys.push_back(std::move(x));
  }
  return keys;
}

} // namespace troupe
