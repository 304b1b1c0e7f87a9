/// A message, what it was caused by, and what it led to.
#pragma once

#include "app/trace_tools/story/batch_story.hpp"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <vector>

namespace troupe {

struct message_family {
  std::uint64_t id = 0;
  std::map<std::uint64_t, trace_record> messages;               ///< By id; those that are missing were not recorded.
  std::map<std::uint64_t, std::vector<std::uint64_t>> parents;  ///< Of the message and its ancestors.
  std::map<std::uint64_t, std::vector<std::uint64_t>> children; ///< Of the message and its descendants.
  std::vector<trace_record> events;                             ///< Raised while the message was handled.
  bool more_ancestors = false;                                  ///< There are more than were looked for.
  bool more_descendants = false;
};

/// Finds the nearest ancestors and the first descendants, `limit` of each at most; causes that go in circles end where
/// they meet themselves. Reads the records a few times; takes some 10 MB, however many there are.
[[nodiscard]] message_family find_family(const recorded_process& process, std::uint64_t message, std::size_t limit);

/// nullopt if the trace knows nothing of the message.
[[nodiscard]] std::optional<story_line> tell_family(const story_context& context, const message_family& family);

} // namespace troupe
