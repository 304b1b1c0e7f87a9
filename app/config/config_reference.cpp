#include "app/config/config_reference.hpp"

#include "app/config/schema.hpp"
#include "app/config/transform_list.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

/// Adds `text`, broken between words into lines of `indent` spaces and at most `width` columns.
void add_wrapped(std::string_view text, std::size_t indent, std::size_t width, std::string& out) {
  std::size_t column = 0;
  while (!text.empty()) {
    const auto word = text.substr(0, text.find(' '));
    text.remove_prefix(std::min(word.size() + 1, text.size()));
    if (column > 0 && column + 1 + word.size() > width) {
      out += '\n';
      column = 0;
    }
    out += column == 0 ? std::string(indent, ' ') : " ";
    column += (column == 0 ? indent : 1) + word.size();
    out += word;
  }
  out += '\n';
}

template <class Root>
void add_key(const basic_key<Root>& key, std::size_t indent, std::size_t width, std::string& out) {
  const auto default_text = key.default_text.empty() || key.default_text == "\"\"" ? "(empty)" : key.default_text;
  add_wrapped(fmt::format("{}: {}", leaf_of(key.path), default_text), indent, width, out);
  add_wrapped(fmt::format("{} {}{}{}.{}", key.about, key.unit.empty() ? "" : fmt::format("In {}. ", key.unit), "Takes ",
                          key.spec.expected,
                          key.only_for.empty() ? "" : fmt::format(" Only for dataset: {}.", joined(key.only_for))),
              indent + 4, width, out);
}

void add_transforms(std::size_t width, std::string& out) {
  for (const auto& transform : transform_specs()) {
    out += '\n';
    add_wrapped(fmt::format("{}: {}", transform.name, transform.about), 2, width, out);
    for (const auto& key : transform.keys)
      add_key(key, 4, width, out);
  }
}

} // namespace

std::string config_reference(std::size_t width) {
  width = std::max<std::size_t>(width, 40);
  std::string out;
  add_wrapped("All keys of a config, each with its default. On the command line: section.key=value.", 0, width, out);
  for (const auto& section : schema().sections) {
    out += '\n';
    add_wrapped(section.path.empty() ? section.about : fmt::format("{}: {}", section.path, section.about), 0, width,
                out);
    if (section.path == "data.validation") {
      add_wrapped("The keys of data.train.", 2, width, out);
      continue;
    }
    for (const auto& key : schema().keys)
      if (parent_of(key.path) == section.path)
        add_key(key, 2, width, out);
    if (section.path == "transforms")
      add_transforms(width, out);
  }
  return out;
}

} // namespace troupe
