#include "app/config/schema.hpp"

#include "app/config/component_specs.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <mutex>

namespace troupe {

namespace {

void add_run_keys(config_schema& to) {
  auto add = add_section(to, "run", "The run as a whole.", &run_config::run);
  using s = run_section;
  add("name", &s::name, folder_name(), "Name of the run folder; a taken name gets -2, -3, ...").changeable();
  add("dir", &s::dir, text("a folder"), "Where run folders are made.").changeable().known_as({"output_dir", "out"});
  add("seed", &s::seed, whole<std::uint64_t>(0), "Seed of the order of samples, transforms, weights and dropout.");
  add("device", &s::device, device(), "Where the model is trained: auto takes a GPU if there is one.")
    .changeable("the run is no longer bit-exact");
}

void add_plugin_keys(config_schema& to) {
  to.sections.push_back({"", "The top level."});
  key_adder<run_config, run_config> add{to.keys, "", [](const run_config& x) { return &x; },
                                        [](run_config& x) -> run_config& { return x; }};
  add("plugins", &run_config::plugins, list_of(text("a name or file name"), 0, 64),
      "Shared libraries with more components and actors: their names, or files relative to the config's folder.")
    .changeable();
}

/// How far `name` is from what `key` is called; the names of other frameworks count only if they are met exactly.
std::size_t distance_to(const config_key& key, std::string_view name) {
  const auto& others = key.other_names;
  if (std::find(others.begin(), others.end(), name) != others.end())
    return 0;
  return edit_distance(name, leaf_of(key.path));
}

/// Returns the names that may stand directly in `section`, sections first met first.
std::vector<std::string> names_in(const config_schema& table, std::string_view section) {
  const auto prefix = section.empty() ? std::string{} : std::string{section} + ".";
  std::vector<std::string> names;
  for (const auto& key : table.keys) {
    if (key.path.compare(0, prefix.size(), prefix) != 0)
      continue;
    const auto rest = key.path.substr(prefix.size());
    const auto name = rest.substr(0, rest.find('.'));
    if (names.empty() || names.back() != name)
      names.push_back(name);
  }
  return names;
}

config_schema make_schema() {
  config_schema out;
  add_run_keys(out);
  add_data_keys(out);
  add_pipeline_keys(out);
  add_training_keys(out);
  add_output_keys(out);
  add_plugin_keys(out);
  return out;
}

} // namespace

const config_schema& schema() {
  struct version {
    std::size_t num_offers;
    config_schema table;
  };
  static std::mutex guard;
  static std::deque<version> versions; // Old ones stay: somebody may hold a reference into them.
  const std::lock_guard lock{guard};
  if (const auto now = num_offers(); versions.empty() || versions.back().num_offers != now)
    versions.push_back({now, make_schema()});
  return versions.back().table;
}

std::string selector_of(const config_key& key) {
  return fmt::format("{}.{}", parent_of(key.path), key.selector);
}

const config_key* config_schema::find(std::string_view path) const {
  const auto i = std::find_if(keys.begin(), keys.end(), [path](const config_key& x) { return x.path == path; });
  return i == keys.end() ? nullptr : &*i;
}

bool config_schema::is_section(std::string_view path) const {
  const auto prefix = std::string{path} + ".";
  return std::any_of(keys.begin(), keys.end(),
                     [&prefix](const config_key& x) { return x.path.compare(0, prefix.size(), prefix) == 0; });
}

bool config_schema::counts(const config_key& key, const run_config& config) const {
  if (key.only_for.empty())
    return true;
  const auto* kind = find(selector_of(key));
  const auto value = kind->write(config).value_or(kind->default_text);
  return std::find(key.only_for.begin(), key.only_for.end(), value) != key.only_for.end();
}

std::string config_schema::hint(std::string_view unknown_path) const {
  constexpr std::size_t max_name_bytes = 64;
  const auto parent = parent_of(unknown_path);
  const auto name = leaf_of(unknown_path);
  if (name.size() <= max_name_bytes) {
    std::string best;
    // Twice the edits, and one more for another section: an exact name elsewhere beats a near one here.
    auto best_cost = 2 * tolerated_edits(name) + 2;
    const auto consider = [&best, &best_cost](const std::string& path, std::size_t edits, bool elsewhere) {
      if (const auto cost = 2 * edits + (elsewhere ? 1 : 0); cost < best_cost) {
        best = path;
        best_cost = cost;
      }
    };
    for (const auto& section_name : names_in(*this, parent))
      consider(fmt::format("{}{}{}", parent, parent.empty() ? "" : ".", section_name),
               edit_distance(name, section_name), false);
    for (const auto& key : keys)
      consider(key.path, distance_to(key, name), parent_of(key.path) != parent);
    if (!best.empty())
      return fmt::format("did you mean {}?", best);
  }
  return fmt::format("{} has {}", parent.empty() ? "the top level" : parent, joined(names_in(*this, parent)));
}

std::string_view parent_of(std::string_view path) noexcept {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view{} : path.substr(0, dot);
}

std::string_view leaf_of(std::string_view path) noexcept {
  const auto dot = path.rfind('.');
  return dot == std::string_view::npos ? path : path.substr(dot + 1);
}

} // namespace troupe
