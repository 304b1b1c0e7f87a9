#include "actors/glue/guard.hpp"
#include "actors/glue/trace_recorder.hpp"
#include "actors/support/shell_text.hpp"
#include "app/supervisor_state.hpp"

#include <csignal>

namespace troupe {

namespace {

constexpr std::chrono::milliseconds longest_tick{1000};
constexpr std::chrono::milliseconds shortest_tick{20};
constexpr std::chrono::seconds flight_deadline{10};

/// Bad samples that are named on the terminal; the rest are only counted.
constexpr std::uint64_t max_named_samples = 20;

} // namespace

void supervisor_state::schedule_tick() {
  const auto tick = std::clamp(job_->config.pipeline.stall_timeout / 8, shortest_tick, longest_tick);
  self_->delayed_send(self_, tick, internal_atom_v);
}

void supervisor_state::tick() {
  if (phase_ == run_phase::over)
    return;
  schedule_tick();
  check_stall(); // Before they are asked again: who has not answered by now does not.
  check_deadline();
  ask_for_statuses();
}

void supervisor_state::ask_for_statuses() {
  for (auto& each : children_.all()) {
    if (!each.alive() || each.status_asked || each.told_to_exit)
      continue;
    each.status_asked = true;
    self_->request(each.handle, 2 * job_->config.pipeline.stall_timeout, status_atom_v)
      .then(
        [this, address = each.address](const actor_status& status) {
          if (auto* who = children_.find(address)) {
            who->status_asked = false;
            who->status = status;
            watch_.report(who->name, status.done, steady_clock::now());
          }
        },
        [this, address = each.address](const caf::error&) {
          if (auto* who = children_.find(address))
            who->status_asked = false;
        });
  }
}

void supervisor_state::check_stall() {
  warn_of_slow_start();
  if (flight_pending_ || (phase_ != run_phase::training && phase_ != run_phase::validating))
    return;
  auto idle = watch_.stalled_for(steady_clock::now());
  if (!idle)
    return;
  const auto text = "stalled: no progress for " + std::to_string(idle->count() / 1000)
                    + " s (pipeline.stall_timeout): " + name_the_culprit();
  flight_pending_ = true;
  keep_flight_recorder(text, [this, text] {
    flight_pending_ = false;
    if (watch_.stalled_for(steady_clock::now()) && (phase_ == run_phase::training || phase_ == run_phase::validating))
      stop(run_end::stopped, text);
  });
}

/// Data sets and models may take their time to come, but not without a word.
void supervisor_state::warn_of_slow_start() {
  const auto in_phase = std::chrono::duration_cast<std::chrono::milliseconds>(steady_clock::now() - phase_since_);
  if (slow_start_told_ || !before(run_phase::training) || in_phase < job_->config.pipeline.stall_timeout)
    return;
  slow_start_told_ = true;
  tell(severity::warning, std::string("the run has been ") + to_string(phase_) + " for "
                            + std::to_string(in_phase.count() / 1000) + " s: " + name_the_culprit());
}

/// The tracer writes it; whatever is to be done then is done in any case.
void supervisor_state::keep_flight_recorder(const std::string& reason, const std::function<void()>& then) {
  if (!tracer_) {
    tell(severity::warning, "there is no flight recorder: trace.mode is off");
    then();
    return;
  }
  self_->request(tracer_, flight_deadline, flight_wanted{reason})
    .then(
      [this, then](const flight_written& written) {
        if (written.error.code == ec::none)
          tell(severity::warning, "the flight recorder is in " + written.path + "; to read it: troupe trace crash "
                                    + shell_text(job_->folder));
        else
          tell(severity::warning, "the flight recorder could not be written: " + to_string(written.error));
        then();
      },
      [this, then](const caf::error&) {
        tell(severity::warning, "the flight recorder was not written in time");
        then();
      });
}

std::string supervisor_state::name_the_culprit() const {
  const in_progress_entry* oldest = nullptr;
  const auto busy = in_progress();
  for (auto& each : busy)
    if (each.actor != "supervisor" && each.message_type != "status"
        && (oldest == nullptr || each.since_ns < oldest->since_ns))
      oldest = &each;
  if (oldest != nullptr) {
    auto text = oldest->actor + " has been handling " + oldest->message_type;
    if (oldest->ids.batch != no_id)
      text += " of batch " + std::to_string(oldest->ids.batch);
    if (oldest->ids.sample != no_id)
      text += " at sample " + std::to_string(oldest->ids.sample);
    const auto age_ns = std::max<std::int64_t>(trace_now_ns() - oldest->since_ns, 0);
    return text + " for " + std::to_string(age_ns / 1'000'000'000) + " s";
  }
  std::string text;
  for (auto& each : children_.all())
    if (each.alive())
      text += (text.empty() ? "" : "; ") + each.name + " " + each.status.doing
              + (each.status_asked ? " (and does not answer)" : "");
  return text;
}

void supervisor_state::check_deadline() {
  if (!deadline_ || steady_clock::now() < *deadline_)
    return;
  deadline_.reset();
  switch (phase_) {
  case run_phase::stopping:
    outcome_.losses.push_back("the trainer did not end in time; its last steps are not saved");
    leave_training();
    break;
  case run_phase::validating:
    outcome_.losses.push_back("the validator did not give up in time");
    save_rest();
    break;
  case run_phase::saving:
    outcome_.losses.push_back("the saver did not finish in time");
    log_rest();
    break;
  case run_phase::logging:
    outcome_.losses.push_back("the logger did not finish in time");
    leave_stage();
    break;
  case run_phase::leaving:
    for (auto& each : children_.all())
      if (each.alive())
        outcome_.hung.push_back(each.name);
    trace_rest();
    break;
  default:
    break;
  }
}

void supervisor_state::signalled(int number) {
  if (number == SIGQUIT) {
    const auto text = "asked by SIGQUIT what the run is at: " + name_the_culprit();
    tell(severity::warning, text);
    keep_flight_recorder(text, [] {});
    return;
  }
  outcome_.signal = number;
  stop(run_end::interrupted, std::string("interrupted by ") + (number == SIGINT ? "SIGINT" : "SIGTERM"));
}

void supervisor_state::note_bad_sample(const bad_sample& sample) {
  const bool in_validation = self_->current_sender() == validation_loader_;
  auto budget = bad_samples_.find(in_validation ? pipeline_kind::validation : pipeline_kind::training);
  if (budget == bad_samples_.end() || !budget->second.add(sample.id))
    return;
  (in_validation ? outcome_.bad_validation_samples : outcome_.bad_training_samples) = budget->second.count();
  self_->send(logger_, bad_sample_found{in_validation ? "validation" : "training", sample});
  const auto text = sample.name + " (sample " + std::to_string(sample.id) + ", epoch "
                    + std::to_string(sample.epoch + 1) + "): " + sample.stage + ": " + sample.reason;
  if (budget->second.count() <= max_named_samples)
    tell(severity::warning, "bad sample " + text);
  if (job_->config.pipeline.bad_samples == bad_sample_policy::fail)
    stop(run_end::stopped, "bad sample (pipeline.bad_samples.policy is fail): " + text);
  else if (budget->second.spent())
    stop(run_end::stopped, "too many bad samples: " + std::to_string(budget->second.count())
                             + " (pipeline.bad_samples allows max and max_share), the last one " + text);
}

void supervisor_state::child_down(const caf::down_msg& down) {
  auto* who = children_.find(down.source);
  if (who == nullptr)
    return;
  who->handle = nullptr;
  const auto name = who->name;
  if (who->told_to_exit) {
    name == "validator" && phase_ == run_phase::validating ? save_rest() : leave_if_empty();
    return;
  }
  const auto why = to_string(to_failure(down.reason));
  if (who->restart) {
    restart_child(*who, why);
  } else if (name == "saver" || name == "logger" || name == "validator") {
    if (before(run_phase::training)) {
      stop(run_end::failed, name + " died: " + why);
      return;
    }
    // The run goes on without them, and says so at its end.
    outcome_.losses.push_back(name + " died: " + why);
    tell(severity::error, name + " died: " + why + "; the run goes on without it");
    if (name == "validator" && phase_ == run_phase::validating)
      save_rest();
    else if (name == "saver" && phase_ == run_phase::saving)
      log_rest();
    else if (name == "logger" && phase_ == run_phase::logging)
      leave_stage();
  } else {
    if (name == "trainer")
      trainer_ = nullptr;
    stop(run_end::failed, name + " died: " + why);
  }
}

void supervisor_state::restart_child(child& who, const std::string& why) {
  if (!before(run_phase::saving))
    return;
  const auto name = who.name;
  if (!restarts_.take(steady_clock::now())) {
    stop(run_end::failed, name + " died: " + why + "; it is not restarted: too many restarts in 60 s");
    return;
  }
  tell(severity::warning,
       name + " died: " + why + "; restarted (" + std::to_string(restarts_.num_taken()) + " of 3 within 60 s)");
  auto restart = who.restart;
  restart();
}

} // namespace troupe
