#include "app/trace_tools/story/story_subject.hpp"

#include <array>
#include <charconv>
#include <utility>

namespace troupe {

namespace {

constexpr std::array<std::pair<std::string_view, subject_kind>, 6> kinds = {{{"sample", subject_kind::sample},
                                                                             {"file", subject_kind::file},
                                                                             {"batch", subject_kind::batch},
                                                                             {"step", subject_kind::step},
                                                                             {"checkpoint", subject_kind::checkpoint},
                                                                             {"message", subject_kind::message}}};

failure unknown(std::string_view text) {
  return {ec::bad_config, "'" + std::string{text}
                            + "': expected sample:ID, file:PATH, batch:N, step:N, checkpoint:VERSION or message:ID"};
}

} // namespace

expected<story_subject> parse_subject(std::string_view text) {
  const auto colon = text.find(':');
  if (colon == std::string_view::npos || colon + 1 == text.size())
    return unknown(text);
  const auto value = text.substr(colon + 1);
  for (const auto& [name, kind] : kinds) {
    if (text.substr(0, colon) != name)
      continue;
    story_subject subject{kind, 0, {}};
    if (kind == subject_kind::file) {
      subject.path = value;
      return subject;
    }
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), subject.id);
    if (error != std::errc{} || end != value.data() + value.size())
      return unknown(text);
    return subject;
  }
  return unknown(text);
}

std::string to_string(const story_subject& subject) {
  for (const auto& [name, kind] : kinds)
    if (kind == subject.kind)
      return std::string{name} + (kind == subject_kind::file ? ":" + subject.path : ":" + std::to_string(subject.id));
  return "unknown";
}

} // namespace troupe
