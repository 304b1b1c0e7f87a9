#include "app/trace_tools/story/message_family.hpp"
#include "app/trace_tools/story/record_text.hpp"

#include <algorithm>

namespace troupe {

namespace {

using relatives = std::map<std::uint64_t, std::vector<std::uint64_t>>;

story_line tell_message(const story_context& context, const message_family& family, std::uint64_t id) {
  const auto found = family.messages.find(id);
  if (found == family.messages.end()) {
    auto line = tell_missing(context, "message " + std::to_string(id));
    line.facts["message"] = id;
    return line;
  }
  auto line = tell_record(context, found->second);
  line.text = "message " + std::to_string(id) + "  " + line.text;
  return line;
}

/// Adds the relatives of `id`, each with its own. Each message has one place in `of`, so that this comes to an end.
void tell_relatives(const story_context& context, const message_family& family, const relatives& of, std::uint64_t id,
                    story_line& story) {
  const auto found = of.find(id);
  if (found == of.end())
    return;
  for (const auto each : found->second) {
    auto line = tell_message(context, family, each);
    tell_relatives(context, family, of, each, line);
    story.add(std::move(line));
  }
}

/// The oldest ancestor that was looked at and has a cause that was not.
void tell_farther(const story_context& context, const message_family& family, story_line& story) {
  const auto self = family.messages.find(family.id);
  if (self == family.messages.end() || family.messages.contains(self->second.root) || self->second.root == 0)
    return;
  const auto root = self->second.root;
  story.add("farther back" + std::string{family.more_ancestors ? " (--limit)" : ""} + ", the chain began with message "
              + std::to_string(root) + ", which was not looked at",
            {{"root", root}, {"process", context.process.id}});
}

} // namespace

std::optional<story_line> tell_family(const story_context& context, const message_family& family) {
  if (family.messages.empty() && family.children.empty() && family.events.empty())
    return std::nullopt;
  auto story = tell_message(context, family, family.id);
  if (family.parents.contains(family.id)) {
    auto& causes = story.add("caused by, nearest first", {{"what", "causes"}});
    tell_relatives(context, family, family.parents, family.id, causes);
    tell_farther(context, family, causes);
  } else {
    story.add("caused by no other message", {{"what", "causes"}});
  }
  if (!family.events.empty()) {
    auto& events = story.add("while it was handled", {{"what", "events"}});
    for (const auto& event : family.events)
      events.add(tell_record(context, event));
  }
  auto& effects = story.add(family.children.empty() ? "led to no other message" : "led to", {{"what", "effects"}});
  tell_relatives(context, family, family.children, family.id, effects);
  if (family.more_descendants)
    effects.add("and more (--limit)", {{"more", true}});
  return story;
}

} // namespace troupe
