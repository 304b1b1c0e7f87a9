/// Which samples a chunk holds.
#pragma once

#include "app/trace_tools/remake/recorded_chunk.hpp"
#include "app/trace_tools/remake/run_data.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

struct chunk_content {
  std::uint64_t epoch = 0;    ///< Part of the key of the samples' randomness.
  std::uint64_t position = 0; ///< In the epoch's order; 0 where that is not known. Says nothing about the samples.
  std::uint32_t first_slot = 0;
  std::vector<std::uint64_t> ids; ///< By slot from `first_slot` on.
};

/// Returns what was recorded of the chunk; where that is not all, as after a crash or with `trace.mode: flight`, what
/// the plan has there. Errors: mismatch if the run's data have no such sample or batch; unsupported where the plan
/// does not tell (`run_data::is_weighted`) and not all was recorded; what opening validation data says.
[[nodiscard]] expected<chunk_content> content_of(const run_data& data, const recorded_chunk& recorded);

} // namespace troupe
