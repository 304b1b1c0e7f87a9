#include "app/config/load_config.hpp"

#include "app/config/document.hpp"
#include "app/config/overrides.hpp"
#include "app/config/read_config.hpp"
#include "app/config/source_text.hpp"
#include "app/config/validate.hpp"
#include "app/plugins/plugin_loader.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

/// Adds broken rules between keys; leaves out those about keys that have a problem of their own.
void add_violations(const run_config& config, const node& root, problem_list& problems) {
  auto all = find_violations(config);
  all.erase(std::remove_if(all.begin(), all.end(),
                           [&problems](const violation& x) {
                             return std::any_of(x.keys.begin(), x.keys.end(),
                                                [&problems](const std::string& key) { return problems.concerns(key); });
                           }),
            all.end());
  for (auto& x : all)
    problems.add(find_position(root, x.keys.front()), x.keys.front(), std::move(x.text));
}

/// Loads plugins one after the other; the paths of those that are there, each once.
class plugins_of_config {
public:
  explicit plugins_of_config(problem_list& problems) : problems_(problems) {}

  /// What the key `plugins` lists. A list that is none, or items that are no texts, are found when the key is read.
  void load_listed(const node& root, const std::string& folder) {
    const auto* entry = root.find("plugins");
    if (entry == nullptr)
      return;
    for (std::size_t i = 0; i < entry->value.items.size(); ++i)
      if (const auto& item = entry->value.items[i]; item.kind == node_kind::scalar)
        load(item.text, folder, item.where, fmt::format("plugins[{}]", i));
  }

  void load(const std::string& wanted, const std::string& folder, position where, std::string key) {
    auto loaded = load_plugin(wanted, folder);
    if (!loaded)
      problems_.add(std::move(where), std::move(key), std::move(loaded).error().context);
    else if (std::find(paths_.begin(), paths_.end(), loaded->path) == paths_.end())
      paths_.push_back(std::move(loaded->path));
  }

  [[nodiscard]] std::vector<std::string> take_paths() { return std::move(paths_); }

private:
  problem_list& problems_;
  std::vector<std::string> paths_;
};

/// Returns the folder that a source's plugins are relative to.
std::string folder_of(const std::string& source) {
  const auto folder = std::filesystem::path{source}.parent_path().string();
  return folder.empty() ? "." : folder;
}

} // namespace

expected<run_config> load_config(const std::filesystem::path& path, const std::vector<std::string>& overrides,
                                 const std::vector<std::string>& more_plugins) {
  auto text = read_source(path);
  if (!text)
    return std::move(text).error();
  return parse_config(*text, path.string(), overrides, more_plugins);
}

expected<run_config> parse_config(std::string_view text, const std::string& source,
                                  const std::vector<std::string>& overrides,
                                  const std::vector<std::string>& more_plugins) {
  problem_list problems;
  auto root = parse_document(text, source, position_style::lines, problems);
  if (!root)
    return problems.report();
  apply_overrides(overrides, *root, problems);
  plugins_of_config plugins{problems};
  const auto before = problems.count();
  plugins.load_listed(*root, folder_of(source));
  for (const auto& wanted : more_plugins)
    plugins.load(wanted, ".", {"--plugin " + shown(wanted), 0, 0}, "");
  if (problems.count() > before) // what it would have brought would all be unknown
    return problems.report();
  auto config = read_config(*root, problems);
  config.plugins = plugins.take_paths();
  add_violations(config, *root, problems);
  if (!problems.empty())
    return problems.report();
  return config;
}

} // namespace troupe
