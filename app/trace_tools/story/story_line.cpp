#include "app/trace_tools/story/story_line.hpp"

#include "app/trace_tools/text/trace_text.hpp"

#include <ostream>
#include <utility>

namespace troupe {

namespace {

void print_at(const story_line& line, std::size_t depth, std::ostream& out) {
  out << std::string(depth * 2, ' ') << line.text << '\n';
  for (const auto& part : line.parts)
    print_at(part, depth + 1, out);
}

nlohmann::ordered_json json_of(const story_line& line) {
  nlohmann::ordered_json out = {{"text", line.text}};
  out.update(line.facts);
  if (line.parts.empty())
    return out;
  auto& parts = out["parts"] = nlohmann::ordered_json::array();
  for (const auto& part : line.parts)
    parts.push_back(json_of(part));
  return out;
}

} // namespace

story_line& story_line::add(std::string part_text, nlohmann::ordered_json part_facts) {
  return add(story_line{std::move(part_text), std::move(part_facts), {}});
}

story_line& story_line::add(story_line part) {
  return parts.emplace_back(std::move(part));
}

void print_text(const story_line& story, std::ostream& out) {
  print_at(story, 0, out);
}

void print_json(const story_line& story, std::ostream& out) {
  print_json(json_of(story), out);
}

} // namespace troupe
