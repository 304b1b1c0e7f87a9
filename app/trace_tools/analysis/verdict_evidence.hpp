/// The numbers that a verdict is made of. For verdict*.cpp only.
#pragma once

#include "app/trace_tools/analysis/verdict.hpp"

#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// What the run spent after its last step, as shares of the whole run, and what became of its checkpoints.
struct aftermath {
  double validating = 0;
  double saving = 0;
  double logging = 0;
  std::uint64_t checkpoints = 0; ///< Asked for.
  std::uint64_t superseded = 0;
};

struct evidence {
  training_time training;
  aftermath after;
  verdict numbers; ///< With all but stage, finding and advice.

  /// A stage without actors if there is none of that name.
  [[nodiscard]] stage_load stage(std::string_view name) const;
  [[nodiscard]] bool has(std::string_view name) const { return stage(name).num_actors > 0; }
  /// Seconds that a step would take if `except` cost nothing: the trainer's own, or those of the slowest other stage.
  [[nodiscard]] double floor_seconds(std::string_view except) const;
  /// Whole cores that no handler computes on; nothing if that is not known.
  [[nodiscard]] std::optional<std::uint64_t> free_cores() const;
  /// False also if it is not known.
  [[nodiscard]] bool has_free_cores() const { return free_cores().value_or(0) > 0; }
};

/// How busy those stages are that there are: "augmenters (2) busy 99 %, loader 12 %"; empty: there are none of them.
[[nodiscard]] std::string busy_text(const evidence& found, const std::vector<std::string>& stages);

/// Walks upstream from the trainer, which waits for batches, to the first stage that has no more to give.
void judge_data_wait(const evidence& found, verdict& to);

/// @pre `training.process`
[[nodiscard]] evidence gather(const training_time& training, const std::optional<torch_threads>& threads);

} // namespace troupe
