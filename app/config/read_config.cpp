#include "app/config/read_config.hpp"

#include "app/config/schema.hpp"

#include <fmt/format.h>

#include <utility>
#include <vector>

namespace troupe {

namespace {

/// A key of one kind of data set or model: whether it may be there is known only when its section has been read.
struct conditional_entry {
  const config_key* key;
  const map_entry* entry;
};

class config_reader {
public:
  explicit config_reader(problem_list& problems) : problems_(problems) {}

  run_config read(const node& root) {
    if (root.kind == node_kind::map)
      read_section(root, "");
    else
      problems_.add(root.where, "", fmt::format("found {}, expected sections such as \"data:\"", describe(root)));
    for (const auto& x : conditional_)
      read_conditional(*x.key, *x.entry);
    return std::move(config_);
  }

private:
  void read_section(const node& section, const std::string& prefix) {
    for (const auto& entry : section.entries)
      read_entry(entry, prefix + entry.key);
  }

  void read_entry(const map_entry& entry, const std::string& path) {
    const auto& table = schema();
    if (const auto* key = table.find(path)) {
      if (key->only_for.empty())
        key->read(entry.value, path, config_, problems_);
      else
        conditional_.push_back({key, &entry});
    } else if (!table.is_section(path)) {
      problems_.add(entry.where, displayed(path), "unknown key; " + table.hint(path));
    } else if (entry.value.kind == node_kind::map) {
      read_section(entry.value, path + ".");
    } else if (entry.value.kind != node_kind::null) { // a section whose keys are all commented out is null
      problems_.add(entry.value.where, path, fmt::format("found {}, expected a map of keys", describe(entry.value)));
    }
  }

  void read_conditional(const config_key& key, const map_entry& entry) {
    const auto kind_path = selector_of(key);
    const auto* kind = schema().find(kind_path);
    if (schema().counts(key, config_)) {
      key.read(entry.value, key.path, config_, problems_);
    } else if (!problems_.concerns(kind_path)) {
      problems_.add(entry.where, key.path,
                    fmt::format("belongs to {}: {}, but {} is {}; remove it, or replace the whole section: "
                                "{}={{{}: ...}}",
                                key.selector, joined(key.only_for), kind_path,
                                kind->write(config_).value_or(kind->default_text), parent_of(key.path), key.selector));
    }
  }

  /// Keys come from the file: a huge one is cut.
  static std::string displayed(const std::string& path) { return path.size() > 120 ? shown(path) : path; }

  run_config config_;
  problem_list& problems_;
  std::vector<conditional_entry> conditional_;
};

} // namespace

run_config read_config(const node& root, problem_list& problems) {
  return config_reader{problems}.read(root);
}

} // namespace troupe
