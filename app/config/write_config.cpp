#include "app/config/write_config.hpp"

#include "app/config/schema.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string_view>

namespace troupe {

namespace {

/// Adds the headers of the sections that `path` lies in and `previous` does not.
void open_sections(std::string_view path, std::string_view previous, std::string& out) {
  std::size_t depth = 0;
  for (std::size_t begin = 0, dot = path.find('.'); dot != std::string_view::npos; dot = path.find('.', begin)) {
    const auto upto = path.substr(0, dot + 1);
    if (previous.substr(0, upto.size()) != upto)
      out += fmt::format("{:{}}{}:\n", "", 2 * depth, path.substr(begin, dot - begin));
    begin = dot + 1;
    ++depth;
  }
}

} // namespace

std::string write_config(const run_config& config) {
  std::string out;
  std::string_view previous;
  for (const auto& key : schema().keys) {
    const auto value = key.write(config);
    if (!value || !schema().counts(key, config))
      continue;
    open_sections(key.path, previous, out);
    const auto depth = static_cast<std::size_t>(std::count(key.path.begin(), key.path.end(), '.'));
    out += fmt::format("{:{}}{}: {}\n", "", 2 * depth, leaf_of(key.path), *value);
    previous = key.path;
  }
  return out;
}

} // namespace troupe
