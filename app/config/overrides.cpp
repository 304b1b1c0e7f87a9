#include "app/config/overrides.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>
#include <utility>

namespace troupe {

namespace {

/// Returns the parts between the dots; empty if one of them is.
std::vector<std::string> split_path(std::string_view path) {
  std::vector<std::string> parts;
  while (true) {
    const auto dot = path.find('.');
    parts.emplace_back(path.substr(0, dot));
    if (parts.back().empty())
      return {};
    if (dot == std::string_view::npos)
      return parts;
    path.remove_prefix(dot + 1);
  }
}

/// Returns the entry `name` of `parent`, made if it is missing. A parent that is no map becomes one.
map_entry& entry_for(node& parent, const std::string& name, const position& where) {
  if (parent.kind != node_kind::map) {
    parent = node{};
    parent.kind = node_kind::map;
    parent.where = where;
  }
  if (auto* found = parent.find(name))
    return *found;
  parent.entries.push_back({name, where, node{}});
  auto& made = parent.entries.back();
  made.value.where = where;
  return made;
}

} // namespace

void apply_overrides(const std::vector<std::string>& overrides, node& root, problem_list& problems) {
  for (const auto& text : overrides) {
    const position where{"override " + shown(text), 0, 0};
    const auto equals = std::min(text.find('='), text.size());
    const auto parts = split_path(std::string_view{text}.substr(0, equals));
    if (equals == text.size() || parts.empty() || parts.size() > max_document_depth) {
      problems.add(where, "", "expected key=value, such as optimizer.lr=0.1");
      continue;
    }
    auto value =
      parse_document(std::string_view{text}.substr(equals + 1), where.source, position_style::name_only, problems);
    if (!value)
      continue;
    node* at = &root;
    map_entry* entry = nullptr;
    for (const auto& name : parts) {
      entry = &entry_for(*at, name, where);
      at = &entry->value;
    }
    entry->where = where;
    entry->value = std::move(*value);
  }
}

} // namespace troupe
