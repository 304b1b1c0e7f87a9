/// Lists of things with a name and parameters of their own: `name` (with defaults) or `{name: {parameter: value}}`.
#pragma once

#include "app/config/key.hpp"

#include <fmt/format.h>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// One that a list can name: its parameters, and what they are without being set.
template <class Item>
struct item_spec {
  std::string name;
  std::string about;
  Item defaults;
  std::vector<basic_key<Item>> keys;
  std::string plugin = {}; ///< Who brought it; empty: built in.
};

/// All that a list can name.
template <class Item>
struct item_kind {
  std::string noun; ///< "transform": what messages call one.
  std::vector<item_spec<Item>> specs;
  std::function<std::string(const Item&)> name_of;
};

/// Returns the names in the order of `specs`.
template <class Item>
[[nodiscard]] std::vector<std::string> names_of(const std::vector<item_spec<Item>>& specs) {
  std::vector<std::string> names;
  for (const auto& spec : specs)
    names.push_back(spec.name);
  return names;
}

/// Returns the first of that name; null: there is none.
template <class Item>
[[nodiscard]] const item_spec<Item>* find_item(const std::vector<item_spec<Item>>& specs, std::string_view name) {
  const auto i = std::find_if(specs.begin(), specs.end(), [name](const auto& spec) { return spec.name == name; });
  return i == specs.end() ? nullptr : &*i;
}

/// An entry of a list, taken apart.
struct named_entry {
  std::string name;
  position where;
  const node* parameters = nullptr; ///< Of the tree; null: none were given.
};

/// Takes `name` or `{name: ...}` apart; adds a problem to whatever else it is.
[[nodiscard]] std::optional<named_entry> read_named(const node& x, const std::string& path, const std::string& noun,
                                                    problem_list& problems);

/// Adds that nothing in the list is called so, with the nearest name.
void add_unknown_item(const named_entry& entry, const std::string& path, const std::string& noun,
                      const std::vector<std::string>& known, problem_list& problems);

/// Adds that there is no parameter of that name, with the nearest one.
void add_unknown_parameter(const map_entry& entry, const std::string& path, const std::vector<std::string>& known,
                           problem_list& problems);

/// Reads the map `x` into `out`. Returns false and adds problems if it is no map, or a parameter is wrong or unknown.
template <class Root>
bool read_parameters(const node& x, const std::vector<basic_key<Root>>& keys, const std::string& path, Root& out,
                     problem_list& problems) {
  if (x.kind != node_kind::map) {
    problems.add(x.where, path, fmt::format("found {}, expected a map of parameters", describe(x)));
    return false;
  }
  const auto before = problems.count();
  for (const auto& entry : x.entries) {
    const auto full = path + "." + entry.key;
    const auto i = std::find_if(keys.begin(), keys.end(), [&entry](const auto& key) { return key.path == entry.key; });
    if (i != keys.end()) {
      i->read(entry.value, full, out, problems);
      continue;
    }
    std::vector<std::string> names;
    for (const auto& key : keys)
      names.push_back(key.path);
    add_unknown_parameter(entry, full, names, problems);
  }
  return problems.count() == before;
}

/// Returns "a: 1, b: 2". An empty list that is the default is left out: not every list may be spelt empty.
template <class Root>
[[nodiscard]] std::string write_parameters(const std::vector<basic_key<Root>>& keys, const Root& root) {
  std::vector<std::string> texts;
  for (const auto& key : keys)
    if (const auto value = key.write(root); value && (*value != "[]" || key.default_text != "[]"))
      texts.push_back(fmt::format("{}: {}", key.path, *value));
  return joined(texts);
}

template <class Item>
[[nodiscard]] std::optional<Item> read_item(const item_kind<Item>& kind, const node& x, const std::string& path,
                                            problem_list& problems) {
  const auto entry = read_named(x, path, kind.noun, problems);
  if (!entry)
    return std::nullopt;
  const auto* spec = find_item(kind.specs, entry->name);
  if (spec == nullptr) {
    add_unknown_item(*entry, path, kind.noun, names_of(kind.specs), problems);
    return std::nullopt;
  }
  auto out = spec->defaults;
  const bool given = entry->parameters != nullptr && entry->parameters->kind != node_kind::null;
  if (given && !read_parameters(*entry->parameters, spec->keys, path + "." + entry->name, out, problems))
    return std::nullopt;
  return out;
}

/// Returns the entry for `x`; one of an unknown name as its name alone, which does not read back.
template <class Item>
[[nodiscard]] std::string write_item(const item_kind<Item>& kind, const Item& x) {
  const auto name = kind.name_of(x);
  const auto* spec = find_item(kind.specs, name);
  const auto texts = spec == nullptr ? std::string{} : write_parameters(spec->keys, x);
  return texts.empty() ? print_text(name) : fmt::format("{{{}: {{{}}}}}", print_text(name), texts);
}

/// A list of at most `max_items` of that kind.
template <class Item>
[[nodiscard]] codec<std::vector<Item>> item_list(item_kind<Item> kind, std::size_t max_items) {
  const auto names = names_of(kind.specs);
  const auto noun = kind.noun;
  codec<Item> item;
  item.spec.expected = "a " + noun;
  item.read = [kind](const node& x, const std::string& path, problem_list& problems) {
    return read_item(kind, x, path, problems);
  };
  item.write = [kind](const Item& x) { return write_item(kind, x); };
  auto out = list_of(std::move(item), 0, max_items);
  out.spec.expected = names.empty() ? fmt::format("a list of {}s, of which no plugin offers one", noun)
                                    : fmt::format("a list of {}s ({})", noun, joined(names));
  return out;
}

} // namespace troupe
