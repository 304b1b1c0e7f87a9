#include "app/config/config_reference.hpp"

#include "app/config/component_specs.hpp"
#include "app/config/schema.hpp"
#include "app/config/stage_list.hpp"
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
  add_wrapped(
    fmt::format("{} {}{}{}.{}", key.about, key.unit.empty() ? "" : fmt::format("In {}. ", key.unit), "Takes ",
                key.spec.expected,
                key.only_for.empty() ? "" : fmt::format(" Only for {}: {}.", key.selector, joined(key.only_for))),
    indent + 4, width, out);
}

/// Adds what the key `where` can name, each with its parameters.
template <class Item>
void add_items(const std::vector<item_spec<Item>>& items, std::string_view where, std::size_t width, std::string& out) {
  for (const auto& item : items) {
    out += '\n';
    add_wrapped(fmt::format("{}: {}{}", item.name, item.about,
                            item.plugin.empty() ? "" : fmt::format(" For {}; of the plugin {}.", where, item.plugin)),
                2, width, out);
    for (const auto& key : item.keys)
      add_key(key, 4, width, out);
  }
}

/// Adds what the lists and kinds of a section can name besides what its keys say.
void add_offers(std::string_view section, std::size_t width, std::string& out) {
  if (section == "data.train") {
    add_items(data_source_specs(), "dataset", width, out);
  } else if (section == "data.decode") {
    add_items(format_specs(), "formats", width, out);
  } else if (section == "transforms") {
    add_items(transform_specs(), "train and validation", width, out);
    add_items(plugin_transform_specs(), "train and validation", width, out);
    add_items(batch_step_specs(), "batch_steps", width, out);
  } else if (section == "pipeline") {
    add_items(stage_specs(), "stages", width, out);
  } else if (section == "model") {
    add_items(model_specs(), "name", width, out);
  } else if (section == "validation") {
    add_items(metric_specs(), "metrics", width, out);
  } else if (section == "log") {
    add_items(sink_specs(), "sinks", width, out);
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
    add_offers(section.path, width, out);
  }
  return out;
}

} // namespace troupe
