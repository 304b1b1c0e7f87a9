/// Which stage limits a run, in words, with the numbers behind them.
#pragma once

#include "actors/tracer/recorded_trace.hpp"
#include "app/trace_tools/analysis/training_load.hpp"

#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What keeps a run from being faster. The numbers are the exit codes of `troupe trace verdict`.
enum class limiting_stage : int {
  trainer = 0,     ///< The steps themselves: nothing keeps the trainer waiting.
  reading = 10,    ///< Loader and readers: the disk, or too few readers.
  augmenting = 11, ///< Decoding and transforms.
  collating = 12,
  validating = 13, ///< The trainer, or the end of the run, waits for the validator.
  saving = 14,     ///< Checkpoints are superseded, or the end of the run waits for the saver.
  logging = 15,
  prefetch = 16,  ///< No stage is busy, and yet the trainer waits: too few buffers for the delays between stages.
  staging = 17,   ///< A plugin's actors between the augmenters and the collator; the finding names them.
  undecided = 20, ///< Too little was recorded to say.
};

[[nodiscard]] const char* to_string(limiting_stage stage) noexcept;

/// Cores that the handlers of one actor keep busy: LibTorch computes on several threads.
struct torch_threads {
  std::uint64_t trainer = 1;
  std::uint64_t validator = 1;
};

struct verdict {
  limiting_stage stage = limiting_stage::undecided;
  std::string finding;  ///< "the trainer waited 38 % of the time for batches; augmenters busy 99 %, loader 12 %"
  std::string advice;   ///< "add 2 augmenters or shrink the images"; empty: there is none.
  bool at_best = false; ///< The expected step is a limit, not an estimate.
  process_state state = process_state::finished;
  std::uint64_t num_steps = 0;
  double step_seconds = 0;            ///< As it was: time in training / steps.
  double expected_step_seconds = 0;   ///< With the advice followed; equal to `step_seconds` where there is none.
  double data_wait = 0;               ///< Share of the time in training that the trainer waited for batches, and
  double validator_wait = 0;          ///< for the validator.
  double after_training = 0;          ///< Share of the whole run after the last step: judging, saving, logging.
  std::optional<double> cores_in_use; ///< Mean number of cores that handlers computed on while training; none: unknown.
  std::uint64_t num_cores = 0;        ///< That the process may use; 0: unknown.
  std::vector<stage_load> stages;
};

/// Judges the newest process of `trace` that did a step. Needs the counts only: `flight` is enough. Where the threads are
/// not known, nothing is said of cores.
[[nodiscard]] verdict judge(const recorded_trace& trace, const std::optional<torch_threads>& threads = std::nullopt);

/// As the run's config has them, on the cores of the process that is judged. Nothing if one of the two is not known.
[[nodiscard]] std::optional<torch_threads> threads_of_run(const recorded_trace& trace, const std::string& run_folder);

void print_text(const verdict& found, std::ostream& out);
void print_json(const verdict& found, std::ostream& out);

} // namespace troupe
