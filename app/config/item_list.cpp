#include "app/config/item_list.hpp"

namespace troupe {

namespace {

std::string did_you_mean(std::string_view name, const std::vector<std::string>& known) {
  const auto close = nearest(name, known);
  return close.empty() ? "" : fmt::format("; did you mean {}?", close);
}

} // namespace

std::optional<named_entry> read_named(const node& x, const std::string& path, const std::string& noun,
                                      problem_list& problems) {
  if (x.kind == node_kind::scalar)
    return named_entry{x.text, x.where, nullptr};
  if (x.kind == node_kind::map && x.entries.size() == 1) {
    const auto& only = x.entries.front();
    return named_entry{only.key, only.where, &only.value};
  }
  problems.add(x.where, path,
               fmt::format("found {}, expected one {}: name or {{name: {{parameter: value}}}}",
                           x.kind == node_kind::map ? fmt::format("{} keys", x.entries.size()) : describe(x), noun));
  return std::nullopt;
}

void add_unknown_item(const named_entry& entry, const std::string& path, const std::string& noun,
                      const std::vector<std::string>& known, problem_list& problems) {
  problems.add(entry.where, path,
               known.empty()
                 ? fmt::format("found {}, but no plugin offers a {}; expected one that plugins: [NAME] has loaded",
                               shown(entry.name), noun)
                 : fmt::format("no {} is called {}, expected one of {}{}", noun, shown(entry.name), joined(known),
                               did_you_mean(entry.name, known)));
}

void add_unknown_parameter(const map_entry& entry, const std::string& path, const std::vector<std::string>& known,
                           problem_list& problems) {
  if (known.empty())
    problems.add(entry.where, path, "unknown key, expected none: it takes no parameters");
  else if (const auto hint = did_you_mean(entry.key, known); !hint.empty())
    problems.add(entry.where, path, "unknown key" + hint);
  else
    problems.add(entry.where, path, fmt::format("unknown key, expected one of {}", joined(known)));
}

} // namespace troupe
