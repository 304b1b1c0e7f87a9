#include "app/trace_tools/remake/selector.hpp"

#include "app/trace_tools/story/story_subject.hpp"

namespace troupe {

expected<std::uint64_t> number_of(std::string_view what, const std::string& text) {
  const auto prefix = std::string(what) + ":";
  const auto subject = parse_subject(text);
  if (subject && subject->kind != subject_kind::file && text.starts_with(prefix))
    return subject->id;
  return failure{ec::bad_config, "\"" + text + "\", expected " + prefix + "N with a whole number N"};
}

} // namespace troupe
