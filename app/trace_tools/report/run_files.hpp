/// What a run folder says beside its trace: how the run ended, its logs, its checkpoints.
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// summary.json, which a run writes when it ends. What it does not say is empty.
struct run_account {
  std::string status; ///< "done", "interrupted" ...
  std::string reason;
  std::string version; ///< Of troupe.
  std::string git;
  std::uint64_t steps = 0;
  std::uint64_t samples = 0;
  double wall_seconds = 0;
  double samples_per_second = 0;
  std::uint64_t durable = 0; ///< Checkpoints.
  std::uint64_t superseded = 0;
  std::uint64_t failed = 0;
};

struct logged_loss {
  std::uint64_t step = 0;
  double loss = 0;
};

struct logged_validation {
  std::uint64_t step = 0;
  double top1 = 0; ///< 0..1
};

struct logged_checkpoint {
  std::uint64_t step = 0;
  std::uint64_t version = 0;
};

struct bad_sample_row {
  std::string sample, epoch, stage, reason;
};

struct run_files {
  std::string folder;
  std::string name;                   ///< Of the folder.
  std::optional<run_account> outcome; ///< None: the run has not ended, or died.
  std::vector<logged_loss> losses;    ///< metrics.csv: means of `log.every_steps` steps each.
  std::vector<logged_validation> validations;
  std::vector<logged_checkpoint> checkpoints; ///< Those that are still there, by version.
  std::vector<bad_sample_row> bad;            ///< The first ones.
  std::uint64_t num_bad = 0;
  std::vector<std::string> problems; ///< Files that could not be read.
};

/// Reads what there is; a file that is not there is no problem.
[[nodiscard]] run_files read_run_files(const std::string& folder, std::size_t max_bad = 20);

} // namespace troupe
