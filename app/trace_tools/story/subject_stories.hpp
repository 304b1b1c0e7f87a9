/// The stories of one process, by what they are about.
#pragma once

#include "app/trace_tools/story/follow.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What the stories of one process are told with.
struct story_request {
  const recorded_process& process;
  const follow_options& options;
  const story_data& data;
};

/// Each gives the stories that the process has to tell, none if it knows nothing of it.
[[nodiscard]] std::vector<story_line> sample_stories(const story_request& request, std::uint64_t sample);
[[nodiscard]] std::vector<story_line> batch_stories(const story_request& request, std::uint64_t batch);
[[nodiscard]] std::vector<story_line> step_stories(const story_request& request, std::uint64_t step);
[[nodiscard]] std::vector<story_line> checkpoint_stories(const story_request& request, std::uint64_t version);
[[nodiscard]] std::vector<story_line> message_stories(const story_request& request, std::uint64_t message);

} // namespace troupe
