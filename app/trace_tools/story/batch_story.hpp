/// Tells of batches and of the samples in them.
#pragma once

#include "app/trace_tools/story/batch_trail.hpp"
#include "app/trace_tools/story/snapshot_fates.hpp"
#include "app/trace_tools/story/story_data.hpp"
#include "app/trace_tools/story/story_line.hpp"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// "the chunk_ready: not in the trace (why)"; of a whole trace of a process that ended, "the chunk_ready: there was none".
[[nodiscard]] story_line tell_missing(const story_context& context, const std::string& what);

/// A line for a record, with the time of its start.
[[nodiscard]] story_line tell_record(const story_context& context, const trace_record& record);

/// A sample as one batch had it: its key, its pixels, what was drawn for it.
[[nodiscard]] story_line tell_sample(const story_context& context, const trace_record& sample);

/// How the chunks of a batch were read and filled.
void tell_chunks(const story_context& context, const batch_trail& trail, story_line& story);

/// How the chunk was read and filled that a sample of the batch came with.
void tell_chunk_of(const story_context& context, const batch_trail& trail, const trace_record& sample,
                   story_line& story);

/// Ids of a training batch in slot order; nothing: unknown.
[[nodiscard]] std::optional<std::vector<std::uint64_t>> members_of(const story_context& context, const batch_key& key);

/// Loss, learning rate and end of a step, without its batches.
/// @pre trail.step
[[nodiscard]] story_line tell_step(const story_context& context, const batch_trail& trail);

/// How a batch was read, made, put together and used.
/// @param outcome Also the step, snapshot, checkpoint and validation that it went into.
[[nodiscard]] story_line tell_batch(const story_context& context, const batch_key& key, const batch_trail& trail,
                                    bool outcome);

/// A batch of the validation in a line, and what the validation found.
[[nodiscard]] story_line tell_validation_batch(const story_context& context, const batch_key& key,
                                               const batch_trail& trail);

/// The way of one sample of a batch into a checkpoint; of a bad one up to where it was left out.
[[nodiscard]] story_line tell_use(const story_context& context, const batch_key& key, const batch_trail& trail,
                                  const trace_record& sample);

/// A sample that was made for a batch, and kept by another one, or by none.
[[nodiscard]] story_line tell_other_place(const story_context& context, const trace_record& sample,
                                          std::optional<std::uint64_t> keeper);

} // namespace troupe
