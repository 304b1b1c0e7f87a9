#include "app/config/problem.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

namespace troupe {

namespace {

bool starts_inside(std::string_view path, std::string_view parent) {
  return path.size() > parent.size() && path.substr(0, parent.size()) == parent
         && (path[parent.size()] == '.' || path[parent.size()] == '[');
}

} // namespace

std::string to_string(const position& x) {
  return x.line > 0 ? fmt::format("{}:{}:{}", x.source, x.line, x.column) : x.source;
}

void problem_list::add(position where, std::string path, std::string text) {
  ++count_;
  if (kept_.size() < max_reported)
    kept_.push_back({std::move(where), std::move(path), std::move(text)});
}

bool problem_list::concerns(std::string_view path) const {
  return std::any_of(kept_.begin(), kept_.end(), [path](const problem& x) {
    return x.path == path || starts_inside(x.path, path) || starts_inside(path, x.path);
  });
}

failure problem_list::report() const {
  auto sorted = kept_;
  // By line; what has none (overrides) goes last.
  std::stable_sort(sorted.begin(), sorted.end(), [](const problem& a, const problem& b) {
    return a.where.line > 0 && (b.where.line == 0 || a.where.line < b.where.line);
  });
  std::string text;
  for (const auto& x : sorted)
    text += fmt::format("{}{}: {}{}{}", text.empty() ? "" : "\n", to_string(x.where), x.path,
                        x.path.empty() ? "" : ": ", x.text);
  if (count_ > kept_.size())
    text += fmt::format("\n({} more errors)", count_ - kept_.size());
  return {ec::bad_config, std::move(text)};
}

std::string shown(std::string_view text) {
  constexpr std::size_t max_bytes = 60;
  auto cut = text.substr(0, max_bytes);
  // Never ends inside a UTF-8 sequence.
  if (cut.size() < text.size())
    while (!cut.empty() && (static_cast<unsigned char>(text[cut.size()]) & 0xC0u) == 0x80u)
      cut.remove_suffix(1);
  std::string out = "\"";
  for (char c : cut) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7F)
      out += fmt::format("\\x{:02x}", byte);
    else
      out += c;
  }
  out += '"';
  if (cut.size() < text.size())
    out += fmt::format("... ({} bytes)", text.size());
  return out;
}

} // namespace troupe
