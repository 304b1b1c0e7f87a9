/// `troupe trace follow`: the way of a sample, batch, step, checkpoint or message through a run, and why it went so.
#pragma once

#include "app/trace_tools/story/story_data.hpp"
#include "app/trace_tools/story/story_line.hpp"
#include "app/trace_tools/story/story_subject.hpp"

#include "actors/tracer/recorded_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

namespace troupe {

struct follow_options {
  std::size_t limit = 8;                   ///< Samples and chunks of a batch, uses of a sample, relatives of a message.
  std::optional<std::uint64_t> epoch = {}; ///< Only what a sample did in this epoch, counted from 1.
  std::string run_folder = {};             ///< Where `checkpoints/` is.
};

/// Tells the story. Where records are missing it says so, and why. Reads the records of each process two to five times
/// and keeps only what the story needs. not_found: the trace knows nothing of the subject; the text says why.
[[nodiscard]] expected<story_line> follow(const recorded_trace& trace, const story_subject& subject,
                                          const follow_options& options, const story_data& data);

} // namespace troupe
