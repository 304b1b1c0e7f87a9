#include "app/config/load_config.hpp"

#include "app/config/document.hpp"
#include "app/config/overrides.hpp"
#include "app/config/read_config.hpp"
#include "app/config/source_text.hpp"
#include "app/config/validate.hpp"

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

} // namespace

expected<run_config> load_config(const std::filesystem::path& path, const std::vector<std::string>& overrides) {
  auto text = read_source(path);
  if (!text)
    return std::move(text).error();
  return parse_config(*text, path.string(), overrides);
}

expected<run_config> parse_config(std::string_view text, const std::string& source,
                                  const std::vector<std::string>& overrides) {
  problem_list problems;
  auto root = parse_document(text, source, position_style::lines, problems);
  if (!root)
    return problems.report();
  apply_overrides(overrides, *root, problems);
  auto config = read_config(*root, problems);
  add_violations(config, *root, problems);
  if (!problems.empty())
    return problems.report();
  return config;
}

} // namespace troupe
