/// Which of the samples that were made for a batch it was trained with.
#pragma once

#include "app/trace_tools/story/batch_trail.hpp"

#include <cstdint>
#include <optional>
#include <vector>

namespace troupe {

/// More samples are made for a batch than it keeps: the last batch of an epoch makes the one before it too, and a sample
/// that replaces a bad one is made again in its own place.
struct batch_content {
  std::vector<trace_record> kept;      ///< In slot order; `version` is the slot after gaps were closed.
  std::vector<trace_record> elsewhere; ///< Made, but kept by another batch, or by none.
  std::vector<trace_record> bad;       ///< Could not be made.
  bool certain = false;                ///< By the composition of the batch; else by the slots of the records alone.
};

/// @param members Ids of the batch in slot order, if they are known.
[[nodiscard]] batch_content content_of(const batch_trail& trail,
                                       const std::optional<std::vector<std::uint64_t>>& members);

/// The sample that was made for the slot of a bad one in its stead; nullptr: none, the gap was closed.
[[nodiscard]] const trace_record* replacement_of(const batch_trail& trail, const trace_record& bad);

} // namespace troupe
