/// What most stories of a process begin and end with.
#pragma once

#include "app/trace_tools/story/batch_story.hpp"
#include "app/trace_tools/story/subject_stories.hpp"

namespace troupe {

/// The names and, once the records have passed by, the snapshots of a process. Borrows the request.
struct story_ground {
  explicit story_ground(const story_request& with) : request(with), names(with.process), fates(names) {}

  [[nodiscard]] story_context context() const {
    return {request.process, names, fates, request.data, request.options.run_folder, request.options.limit};
  }

  const story_request& request;
  run_names names;
  snapshot_fates fates;
};

} // namespace troupe
