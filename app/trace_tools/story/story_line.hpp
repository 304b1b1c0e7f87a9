/// A story as a tree of lines: each with what happened, the same as data, and what it was made of or led to.
#pragma once

#include <cstddef>
#include <iosfwd>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace troupe {

struct story_line {
  std::string text;
  nlohmann::ordered_json facts = nlohmann::ordered_json::object(); ///< The same for programs.
  std::vector<story_line> parts;

  /// Adds a part and returns it; the reference holds until the next part is added.
  story_line& add(std::string part_text, nlohmann::ordered_json part_facts = nlohmann::ordered_json::object());
  story_line& add(story_line part);
};

/// Each part two columns to the right of what it belongs to.
void print_text(const story_line& story, std::ostream& out);

/// The facts, with "text" and, where there are any, "parts".
void print_json(const story_line& story, std::ostream& out);

} // namespace troupe
