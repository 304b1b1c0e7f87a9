#include "app/run_report.hpp"

#include "app/build_info.hpp"

#include <sys/resource.h>

namespace troupe {

namespace {

bool lost_something(const run_outcome& outcome) {
  return !outcome.losses.empty() || outcome.saved.counts.last_failed || outcome.logged.lost_rows > 0
         || !outcome.hung.empty();
}

run_status status_of(run_end end) {
  switch (end) {
  case run_end::done:
    return run_status::done;
  case run_end::stopped:
    return run_status::stopped;
  case run_end::interrupted:
    return run_status::interrupted;
  case run_end::failed:
  case run_end::refused:
    break;
  }
  return run_status::failed;
}

std::uint64_t peak_rss_bytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024; // Linux counts in KiB.
}

std::string reason_of(const run_outcome& outcome) {
  auto text = outcome.reason;
  auto add = [&](const std::string& more) { text += (text.empty() ? "" : "; ") + more; };
  if (outcome.saved.counts.last_failed)
    add("the newest checkpoint could not be saved");
  if (outcome.logged.lost_rows > 0)
    add(std::to_string(outcome.logged.lost_rows) + " log rows were lost: " + outcome.logged.first_error);
  for (auto& loss : outcome.losses)
    add(loss);
  for (auto& name : outcome.hung)
    add(name + " would not end");
  return text;
}

} // namespace

int exit_code_of(const run_outcome& outcome) {
  switch (outcome.end) {
  case run_end::done:
    return lost_something(outcome) ? 4 : 0;
  case run_end::failed:
    return 1;
  case run_end::refused:
    return 2;
  case run_end::stopped:
    return 3;
  case run_end::interrupted: // "Interrupted after saving", or it has failed.
    return outcome.saved.counts.last_failed ? 1 : 128 + outcome.signal;
  }
  return 1;
}

run_summary summarise(const run_job& job, const run_outcome& outcome, double wall_seconds) {
  const auto& trained = outcome.trained;
  run_summary out;
  out.status = status_of(outcome.end);
  out.exit_code = exit_code_of(outcome);
  out.reason = reason_of(outcome);
  out.folder = job.folder;
  out.epochs = trained.epochs;
  out.steps = trained.steps;
  out.samples_trained = trained.samples_trained;
  out.samples_skipped = trained.samples_skipped;
  out.bad_training_samples = outcome.bad_training_samples;
  out.bad_validation_samples = outcome.bad_validation_samples;
  out.validation = outcome.logged.newest_validation;
  out.best = outcome.saved.best;
  out.wall_seconds = wall_seconds;
  out.train_seconds = trained.train_seconds;
  if (trained.train_seconds > 0) {
    out.samples_per_second = static_cast<double>(trained.samples_here) / trained.train_seconds;
    out.data_wait_share = trained.data_wait_seconds / trained.train_seconds;
  }
  out.validation_wait_seconds = trained.validation_wait_seconds;
  out.peak_rss_bytes = peak_rss_bytes();
  out.checkpoints = outcome.saved.counts;
  out.log_failures = outcome.logged.lost_rows;
  out.plugin_failures = outcome.plugin_failures;
  out.disabled_components = outcome.disabled_components;
  out.trace_recorded = outcome.traced.recorded;
  out.trace_dropped = outcome.traced.dropped;
  out.trace_cut = outcome.traced.cut;
  out.trace_problem = outcome.traced.problem;
  out.git = build_commit();
  out.version = build_version();
  out.seed = job.config.run.seed;
  out.threads = {{"trainer_torch", static_cast<std::uint64_t>(job.threads.trainer_torch_threads)},
                 {"validator_torch", static_cast<std::uint64_t>(job.threads.validator_torch_threads)},
                 {"augmenters", job.threads.num_augmenters},
                 {"scheduler", job.threads.scheduler_workers}};
  return out;
}

} // namespace troupe
