/// How a run went, at its end: summary.json and the closing lines on the terminal.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/checkpoint.hpp"
#include "messages/metric.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>

namespace troupe {

enum class run_status : std::uint8_t {
  done,        ///< All epochs are trained.
  failed,      ///< An error ended the run.
  stopped,     ///< A policy did: non-finite loss, budget of bad samples, stall.
  interrupted, ///< A signal did.
};

[[nodiscard]] constexpr const char* to_string(run_status status) noexcept {
  switch (status) {
  case run_status::done:
    return "done";
  case run_status::failed:
    return "failed";
  case run_status::stopped:
    return "stopped";
  case run_status::interrupted:
    return "interrupted";
  }
  return "unknown";
}

/// The fields of summary.json.
struct run_summary {
  run_status status = run_status::failed;
  int exit_code = 1;
  std::string reason;       ///< Why it is not `done`; empty where it is.
  std::string folder;       ///< The run folder.
  std::uint64_t epochs = 0; ///< Completed.
  std::uint64_t steps = 0;  ///< Optimizer steps done, those before a resume included.
  std::uint64_t samples_trained = 0;
  std::uint64_t samples_skipped = 0;
  std::uint64_t bad_training_samples = 0; ///< Different ones.
  std::uint64_t bad_validation_samples = 0;
  std::optional<validation_score> validation; ///< The newest.
  std::optional<validation_score> best;       ///< By the monitored figure.
  double wall_seconds = 0;                    ///< Of this process.
  double train_seconds = 0;                   ///< From the first step to the last, of this process.
  double samples_per_second = 0;              ///< Over `train_seconds`.
  double data_wait_share = 0;                 ///< Of `train_seconds`, 0..1.
  double validation_wait_seconds = 0;         ///< For which the trainer waited for the validator.
  std::uint64_t peak_rss_bytes = 0;
  checkpoint_counts checkpoints;
  std::map<std::string, std::uint64_t> plugin_failures; ///< Component of a plugin -> how often it failed.
  std::set<std::string> disabled_components;            ///< Those of them that were not called any more.
  std::uint64_t log_failures = 0;                       ///< Rows, records and files that could not be written.
  std::uint64_t trace_recorded = 0;
  std::uint64_t trace_dropped = 0;
  std::uint64_t trace_cut = 0; ///< Went with the oldest files (`trace.max_size`).
  std::string trace_problem;   ///< The first thing that kept the trace from being whole; empty: nothing.
  std::string git;             ///< Commit of the build; empty where unknown.
  std::string version;
  std::uint64_t seed = 0;
  std::map<std::string, std::uint64_t> threads; ///< Role or thread pool -> number of threads.
};

/// The summary as indented JSON with a line end, keys in the order of the fields. No figure of a validation that was
/// never made: null. Infinities and NaN, which JSON does not have, become null; bytes that are not UTF-8 become U+FFFD.
[[nodiscard]] std::string to_json(const run_summary& summary);

/// Puts `to_json` in the place of `path`, atomically and durably. Fails with `io_error` or `not_found`.
[[nodiscard]] expected<void> write_summary(const run_summary& summary, const std::string& path);

/// The closing lines for the terminal, about six, each with its line end: outcome, throughput, accuracy, checkpoints,
/// and what was lost on the way, if anything.
[[nodiscard]] std::string describe(const run_summary& summary);

} // namespace troupe
