/// Tells of batches and of the samples in them.
#pragma once

#include "app/trace_tools/story/batch_trail.hpp"
#include "app/trace_tools/story/snapshot_fates.hpp"
#include "app/trace_tools/story/story_data.hpp"
#include "app/trace_tools/story/story_line.hpp"

#include <cstddef>
#include <string>

namespace troupe {

/// What every story of one process needs. Borrowed: the owners outlive it.
struct story_context {
  const recorded_process& process;
  const run_names& names;
  const snapshot_fates& fates;
  const story_data& data;
  const std::string& run_folder;
  std::size_t limit = 8; ///< So many samples, or messages, are told of; the rest is counted.
};

/// "the chunk_ready: not in the trace (why)"
[[nodiscard]] story_line tell_missing(const story_context& context, const std::string& what);

/// A line for a record, with the time of its start.
[[nodiscard]] story_line tell_record(const story_context& context, const trace_record& record);

/// A sample as one batch had it: its key, its pixels, what was drawn for it.
[[nodiscard]] story_line tell_sample(const story_context& context, const trace_record& sample);

/// Loss, learning rate and end of a step, without its batches.
/// @pre trail.step
[[nodiscard]] story_line tell_step(const story_context& context, const batch_trail& trail);

/// How a batch was read, made, put together and used.
/// @param outcome Also the step, snapshot, checkpoint and validation that it went into.
[[nodiscard]] story_line tell_batch(const story_context& context, const batch_key& key, const batch_trail& trail,
                                    bool outcome);

/// The way of one sample of a batch into a checkpoint.
[[nodiscard]] story_line tell_use(const story_context& context, const batch_key& key, const batch_trail& trail,
                                  const trace_record& sample);

} // namespace troupe
