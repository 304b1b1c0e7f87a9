/// Which numbers of a kind a trace tells of: for the answer that it does not know one.
#pragma once

#include "actors/tracer/recorded_trace.hpp"
#include "app/trace_tools/story/story_subject.hpp"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>

namespace troupe {

using id_range = std::optional<std::pair<std::uint64_t, std::uint64_t>>; ///< First and last; nothing: there is none.

struct found_ids {
  const char* what = ""; ///< "samples"
  id_range ids;
  id_range epochs; ///< Of samples, counted from 1.

  /// "samples 0 to 99 of epochs 1 to 3", "no steps"
  [[nodiscard]] std::string text() const;
};

/// Reads all records once. Samples are those that were made.
[[nodiscard]] found_ids known_ids(const recorded_trace& trace, subject_kind kind);

} // namespace troupe
