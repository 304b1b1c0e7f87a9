#include "app/config/transform_list.hpp"

#include "app/config/transform_keys.hpp"

#include <variant>

namespace troupe {

namespace {

constexpr std::size_t max_transforms = 32;

std::vector<std::string> transform_names() {
  std::vector<std::string> names;
  for (const auto& spec : transform_specs())
    names.push_back(spec.name);
  return names;
}

const transform_spec* find_spec(std::string_view name, const position& where, const std::string& path,
                                problem_list& problems) {
  const auto& specs = transform_specs();
  const auto i = std::find_if(specs.begin(), specs.end(), [name](const transform_spec& x) { return x.name == name; });
  if (i != specs.end())
    return &*i;
  const auto close = nearest(name, transform_names());
  problems.add(where, path,
               fmt::format("no transform is called {}, expected one of {}{}", shown(name), joined(transform_names()),
                           close.empty() ? "" : fmt::format("; did you mean {}?", close)));
  return nullptr;
}

void read_parameter(const map_entry& entry, const transform_spec& spec, const std::string& path, transform_config& out,
                    problem_list& problems) {
  const auto i =
    std::find_if(spec.keys.begin(), spec.keys.end(), [&entry](const auto& x) { return x.path == entry.key; });
  const auto full = path + "." + entry.key;
  if (i != spec.keys.end()) {
    i->read(entry.value, full, out, problems);
    return;
  }
  std::vector<std::string> names;
  for (const auto& x : spec.keys)
    names.push_back(x.path);
  const auto close = nearest(entry.key, names);
  problems.add(entry.where, full,
               close.empty() ? fmt::format("unknown key, expected one of {}", joined(names))
                             : fmt::format("unknown key; did you mean {}?", close));
}

std::optional<transform_config> read_transform(const node& x, const std::string& path, problem_list& problems) {
  if (x.kind == node_kind::scalar) {
    const auto* spec = find_spec(x.text, x.where, path, problems);
    return spec ? std::optional{spec->defaults} : std::nullopt;
  }
  if (x.kind != node_kind::map || x.entries.size() != 1) {
    problems.add(x.where, path,
                 fmt::format("found {}, expected one transform: name or {{name: {{parameter: value}}}}",
                             x.kind == node_kind::map ? fmt::format("{} keys", x.entries.size()) : describe(x)));
    return std::nullopt;
  }
  const auto& [name, where, parameters] = x.entries.front();
  const auto* spec = find_spec(name, where, path, problems);
  if (spec == nullptr)
    return std::nullopt;
  const auto inner = path + "." + name;
  if (parameters.kind != node_kind::map && parameters.kind != node_kind::null) {
    problems.add(parameters.where, inner, fmt::format("found {}, expected a map of parameters", describe(parameters)));
    return std::nullopt;
  }
  auto out = spec->defaults;
  const auto before = problems.count();
  for (const auto& entry : parameters.entries)
    read_parameter(entry, *spec, inner, out, problems);
  return problems.count() == before ? std::optional{std::move(out)} : std::nullopt;
}

/// Parameters without a value that a config could spell (an empty list) are left out: they read back as the default.
std::string write_transform(const transform_config& x) {
  const auto& spec = transform_specs()[x.index()];
  std::vector<std::string> parameters;
  for (const auto& key : spec.keys)
    if (const auto value = key.write(x); value && *value != "[]")
      parameters.push_back(fmt::format("{}: {}", key.path, *value));
  return parameters.empty() ? spec.name : fmt::format("{{{}: {{{}}}}}", spec.name, joined(parameters));
}

} // namespace

const std::vector<transform_spec>& transform_specs() {
  static const auto specs = [] {
    auto all = geometry_specs();
    for (auto& spec : value_specs())
      all.push_back(std::move(spec));
    return all;
  }();
  static_assert(std::variant_size_v<transform_config> == 16, "every transform needs its keys, in the variant's order");
  return specs;
}

codec<std::vector<transform_config>> transform_list() {
  codec<transform_config> item;
  item.spec.expected = "a transform";
  item.read = read_transform;
  item.write = write_transform;
  auto out = list_of(std::move(item), 0, max_transforms);
  out.spec.expected = fmt::format("a list of transforms ({})", joined(transform_names()));
  return out;
}

} // namespace troupe
