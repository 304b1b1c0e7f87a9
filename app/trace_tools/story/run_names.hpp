/// The names that a story looks for, as numbers of one process: records are compared by number.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <limits>
#include <string_view>
#include <vector>

namespace troupe {

/// Number of a name that the process never used.
inline constexpr std::uint32_t no_name = std::numeric_limits<std::uint32_t>::max();

class run_names {
public:
  explicit run_names(const recorded_process& process);

  /// The actor belongs to the validation pipeline, or is the validator.
  [[nodiscard]] bool of_validation(std::uint32_t actor) const noexcept {
    return actor < of_validation_.size() && of_validation_[actor];
  }

  std::uint32_t trainer, saver, logger, validator;
  std::uint32_t chunk_wanted, chunk_read, chunk_ready, slice_filled, chunk_done, batch_ready;
  std::uint32_t step_completed, snapshot, snapshot_judged, validation_report;
  std::uint32_t durable, failed, superseded;                // marks
  std::uint32_t loss, learning_rate, top1, validation_loss; // values
  std::uint32_t waits_for_first_batch, waits_for_batch;     // spans
  std::uint32_t trains;

private:
  std::vector<bool> of_validation_;
};

} // namespace troupe
