#include "app/commands/train_command.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/last_words.hpp"
#include "actors/glue/register_messages.hpp"
#include "actors/glue/trace_recorder.hpp"
#include "actors/tracer/tracer_actor.hpp"
#include "app/prepare_run.hpp"
#include "app/run_report.hpp"
#include "app/signal_mask.hpp"
#include "app/signal_watch.hpp"
#include "app/supervisor.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>

#include <algorithm>
#include <chrono>
#include <csignal>
#include <cstdio>
#include <unistd.h>

namespace troupe {

namespace {

void write_all(int fd, std::string_view text) {
  while (!text.empty()) {
    const auto n = write(fd, text.data(), text.size());
    if (n <= 0)
      return; // A terminal that is gone is nobody's loss.
    text.remove_prefix(static_cast<std::size_t>(n));
  }
}

/// CAF as a training run needs it: one queue for all workers, and nobody may keep a worker for long.
struct company_config : caf::actor_system_config {
  explicit company_config(std::size_t num_workers) {
    set("scheduler.policy", caf::atom("sharing"));
    set("scheduler.max-throughput", std::size_t{50});
    set("scheduler.max-threads", num_workers);
    troupe::add_error_category(*this);
  }
};

/// Threads that plugins' actors may have of their own, if all of them wanted one.
std::size_t threads_of_plugins(const run_job& job) {
  std::size_t sum = 0;
  for (const auto& use : job.config.pipeline.stages)
    sum += std::max(use.count, job.threads.num_augmenters) + 1;
  return sum;
}

/// Every thread that actors run on may record: CAF's, the readers of both pipelines, a dozen with a role of their own, and
/// those of plugins.
tracer_config tracing_of(const run_job& job) {
  constexpr std::size_t num_roles = 16;
  const auto& config = job.config;
  return {config.trace.mode, job.folder + "/trace", config.trace.max_size,
          job.threads.scheduler_workers + 2 * config.pipeline.readers + num_roles + threads_of_plugins(job)};
}

/// Puts the run on stage and waits for its end.
run_outcome perform(const std::shared_ptr<const run_job>& job, std::unique_ptr<caf::actor_system>& system) {
  auto promise = std::make_shared<std::promise<run_outcome>>();
  auto future = promise->get_future();
  auto boss = system->spawn<caf::detached>(supervisor, supervisor_setup{job, std::move(promise)});
  signal_watch signals(boss);
  boss = nullptr;
  try {
    return future.get();
  } catch (const std::future_error&) { // The supervisor is dead, and nobody is left to end the others.
    run_outcome outcome;
    outcome.reason = "the supervisor died";
    outcome.hung = {"supervisor"};
    return outcome;
  }
}

} // namespace

int train_command(const train_options& options) {
  const auto begun = std::chrono::steady_clock::now();
  auto prepared = prepare_run(options);
  if (!prepared) {
    write_all(STDERR_FILENO, "troupe: " + to_string(prepared.error()) + "\n");
    return prepared.error().code == ec::io_error || prepared.error().code == ec::corrupt ? 1 : 2;
  }
  auto job = prepared->job;
  job->write = [](std::string_view text) { write_all(STDOUT_FILENO, text); };
  job->warn = [](std::string_view text) { write_all(STDERR_FILENO, text); };
  auto recorder = start_recorder(tracing_of(*job));
  keep_last_words();
  if (recorder)
    job->recorder = recorder->get();
  if (job->recorder != nullptr && !job->recorder->map().problem().empty())
    job->notices.push_back(job->recorder->map().problem());
  if (!recorder)
    job->notices.push_back("there will be no trace: " + to_string(recorder.error()));
  register_messages();
  company_config config(job->threads.scheduler_workers);
  auto system = std::make_unique<caf::actor_system>(config);
  auto outcome = perform(job, system);
  std::signal(SIGQUIT, SIG_IGN); // It asks what the run is at, and is no reason to die at the end of it.
  release_signals();
  const std::chrono::duration<double> wall = std::chrono::steady_clock::now() - begun;
  auto summary = summarise(*job, outcome, wall.count());
  // A resume that is refused leaves the run as it was.
  const bool untouched = outcome.end == run_end::refused && job->resume_from;
  if (!untouched)
    if (auto written = write_summary(summary, job->folder + "/summary.json"); !written) {
      outcome.losses.push_back(to_string(written.error()));
      summary = summarise(*job, outcome, wall.count());
    }
  write_all(STDOUT_FILENO, describe(summary));
  if (summary.exit_code == 1 || summary.exit_code == 2)
    write_all(STDERR_FILENO, "troupe: " + summary.reason + "\n");
  if (!outcome.hung.empty())
    _exit(summary.exit_code); // Waiting for a thread that does not end would be endless.
  return summary.exit_code;
}

} // namespace troupe
