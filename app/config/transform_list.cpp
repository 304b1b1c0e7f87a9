#include "app/config/transform_list.hpp"

#include <variant>

namespace troupe {

namespace {

constexpr std::size_t max_transforms = 32;
constexpr std::size_t max_channels = 4;

/// Returns a transform with keys bound to the members of the alternative `T`, as `add_keys` adds them.
template <class T, class AddKeys>
transform_spec make_spec(std::string name, std::string about, AddKeys add_keys) {
  transform_spec spec{std::move(name), std::move(about), T{}, {}};
  key_adder<transform_config, T> add{spec.keys, "", [](const transform_config& x) { return std::get_if<T>(&x); },
                                     [](transform_config& x) -> T& { return std::get<T>(x); }};
  add_keys(add);
  return spec;
}

transform_spec crop_spec() {
  return make_spec<random_crop_config>(
    "random_crop", "Pads all sides with zeros, then cuts a random square.", [](auto& add) {
      using c = random_crop_config;
      add("size", &c::size, whole<std::int64_t>(0, 4096), "Side of the square; 0: the size of the input.").in("pixels");
      add("padding", &c::padding, whole<std::int64_t>(0, 1024), "Zeros added to each side.").in("pixels");
    });
}

transform_spec flip_spec() {
  return make_spec<random_horizontal_flip_config>("random_horizontal_flip", "Mirrors left to right.", [](auto& add) {
    add("p", &random_horizontal_flip_config::p, number({.low = 0, .high = 1}), "Probability.");
  });
}

transform_spec erasing_spec() {
  return make_spec<random_erasing_config>(
    "random_erasing", "Overwrites a random rectangle (Zhong et al., 2017).", [](auto& add) {
      using c = random_erasing_config;
      add("p", &c::p, number({.low = 0, .high = 1}), "Probability.");
      add("scale", &c::scale, list_of(number({.low = 0, .high = 1, .low_excluded = true}), 2, 2),
          "Smallest and largest erased share of the area.");
      add("ratio", &c::ratio, list_of(number({.low = 0, .high = 100, .low_excluded = true}), 2, 2),
          "Smallest and largest aspect ratio.");
      add("value", &c::value, number({.low = 0, .high = 255}), "What is written.");
    });
}

transform_spec normalize_spec() {
  return make_spec<normalize_config>(
    "normalize", "Maps bytes to (x / 255 - mean) / std; the last of its list.", [](auto& add) {
      using c = normalize_config;
      add("mean", &c::mean, list_of(number({.low = -1000, .high = 1000}), 1, max_channels),
          "One for each channel or one for all; 1 is the full range.");
      add("std", &c::std, list_of(number({.low = 0, .high = 1000, .low_excluded = true}), 1, max_channels),
          "One for each channel or one for all; 1 is the full range.");
    });
}

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
  static const std::vector<transform_spec> specs{crop_spec(), flip_spec(), erasing_spec(), normalize_spec()};
  static_assert(std::variant_size_v<transform_config> == 4, "every transform needs its keys, in the variant's order");
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
