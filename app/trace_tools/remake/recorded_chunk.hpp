/// One message to an augmenter, as it was recorded.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

struct recorded_chunk {
  const recorded_process* process = nullptr;
  trace_record record;                  ///< Of the message.
  std::string augmenter;                ///< Who got it.
  bool of_validation = false;           ///< Its samples are those of the validation set.
  std::vector<recorded_sample> samples; ///< In slot order, those that were recorded.
};

/// Finds the message in the newest process that has it. Errors: not_found; bad_config if it is no `chunk_ready`;
/// unsupported if an augmenter of a plugin handled it.
/// `trace` must outlive what is returned.
[[nodiscard]] expected<recorded_chunk> find_chunk(const recorded_trace& trace, std::uint64_t message);

} // namespace troupe
