#include "actors/support/components/plugin_guard.hpp"
#include "app/supervisor_state.hpp"

#include <caf/send.hpp>

#include <algorithm>
#include <array>

namespace troupe {

namespace {

constexpr std::chrono::seconds log_deadline{10};
constexpr std::chrono::seconds leave_deadline{5};
constexpr std::chrono::seconds trace_deadline{10};
/// A large checkpoint on a slow disk takes its time; a second signal ends the wait.
constexpr std::chrono::milliseconds shortest_save_deadline{600'000};

} // namespace

void supervisor_state::tell(severity level, std::string text) {
  if (logger_)
    self_->send(logger_, notice{level, std::move(text)});
  else if (level != severity::info && job_->warn) // Nobody is there yet to write it.
    job_->warn((level == severity::error ? "error: " : "warning: ") + text + "\n");
}

void supervisor_state::stop(run_end end, std::string reason, severity told_as) {
  if (!end_decided_) {
    end_decided_ = true;
    outcome_.end = end;
    outcome_.reason = std::move(reason);
    if (end != run_end::failed
        && end != run_end::refused) // What has failed is told by the command, with its exit code.
      tell(end == run_end::interrupted ? severity::info : told_as, outcome_.reason);
  }
  if (before(run_phase::training)) {
    change_phase(run_phase::training); // Nothing to be judged or saved; whoever is on stage leaves it.
    logger_ ? log_rest() : leave_stage();
  } else if (phase_ == run_phase::training) {
    if (!trainer_) {
      leave_training();
      return;
    }
    const auto why = end == run_end::interrupted ? stop_reason::signal
                     : end == run_end::stopped   ? stop_reason::policy
                                                 : stop_reason::failure;
    enter(run_phase::stopping, job_->config.pipeline.stall_timeout + company_.listener_timeout());
    self_->send<caf::message_priority::high>(trainer_, stop_training{why, true});
  } else if (phase_ == run_phase::validating) {
    give_validation_up();
  } else if (phase_ == run_phase::stopping && !trainer_) {
    leave_training();
  }
}

void supervisor_state::change_phase(run_phase phase) {
  const auto now = steady_clock::now();
  trace_span(std::string("phase ") + to_string(phase_), phase_since_, now);
  phase_ = phase;
  phase_since_ = now;
}

void supervisor_state::enter(run_phase phase, std::optional<std::chrono::milliseconds> deadline) {
  change_phase(phase);
  deadline_.reset();
  if (deadline)
    deadline_ = steady_clock::now() + *deadline;
}

void supervisor_state::judged(const snapshot_judged&) {
  ++judgements_;
  if (phase_ == run_phase::validating && judgements_ >= judgements_expected_)
    save_rest();
}

void supervisor_state::ended(const training_ended& fact) {
  if (phase_ != run_phase::training && phase_ != run_phase::stopping)
    return;
  outcome_.trained = fact;
  judgements_expected_ += fact.snapshots_for_validation;
  if (fact.error.code != ec::none && !end_decided_) {
    end_decided_ = true;
    outcome_.end = fact.error.code == ec::nonfinite ? run_end::stopped : run_end::failed;
    outcome_.reason = to_string(fact.error);
    if (outcome_.end == run_end::stopped)
      tell(severity::error, outcome_.reason);
  }
  if (!end_decided_ && fact.reason == stop_reason::none)
    outcome_.end = run_end::done;
  leave_training();
}

/// With the trainer's books, or without them if it is dead or hangs: then those of the checkpoint resumed from stand.
void supervisor_state::leave_training() {
  close_data_side();
  validate_rest();
}

void supervisor_state::close_data_side() {
  constexpr std::array data_side = {"loader", "collator", "augmenter", "reader#", "stage ", "relay "};
  for (auto& each : children_.all())
    if (std::any_of(data_side.begin(), data_side.end(), [&](auto* role) { return each.name.starts_with(role); }))
      exit_child(each);
}

void supervisor_state::validate_rest() {
  enter(run_phase::validating, std::nullopt);
  watch_.reset(steady_clock::now());
  auto* validator = children_.find("validator");
  if (validator == nullptr || !validator->alive())
    save_rest();
  else if (outcome_.end != run_end::done)
    give_validation_up();
  else if (judgements_ >= judgements_expected_)
    save_rest();
}

/// What is not judged is kept by the saver, for the resumed run to judge. Once the validator is down, all of it is there.
void supervisor_state::give_validation_up() {
  if (deadline_) // It has been told already.
    return;
  deadline_ = steady_clock::now() + leave_deadline;
  self_->send<caf::message_priority::high>(validator_, finish_atom_v);
  exit_child("validator");
}

void supervisor_state::close_validation() {
  for (auto& each : children_.all())
    if (each.name.starts_with("validat"))
      exit_child(each);
}

void supervisor_state::save_rest() {
  close_validation();
  enter(run_phase::saving, std::max(job_->config.pipeline.stall_timeout, shortest_save_deadline));
  auto* saver = children_.find("saver");
  if (saver != nullptr && saver->alive())
    self_->send(saver_, finish_atom_v);
  else
    log_rest();
}

void supervisor_state::saved(const saver_finished& fact) {
  outcome_.saved = fact;
  if (phase_ == run_phase::saving)
    log_rest();
}

void supervisor_state::log_rest() {
  enter(run_phase::logging, log_deadline);
  auto* logger = children_.find("logger");
  if (logger != nullptr && logger->alive())
    self_->send(logger_, close_log{outcome_.end == run_end::done});
  else
    leave_stage();
}

void supervisor_state::logged(const logger_finished& fact) {
  outcome_.logged = fact;
  if (phase_ == run_phase::logging)
    leave_stage();
}

void supervisor_state::leave_stage() {
  enter(run_phase::leaving, leave_deadline);
  for (auto& each : children_.all())
    exit_child(each);
  leave_if_empty();
}

void supervisor_state::leave_if_empty() {
  if (phase_ == run_phase::leaving && !children_.any_alive())
    trace_rest();
}

void supervisor_state::trace_rest() {
  check_books();
  enter(run_phase::tracing, std::nullopt);
  if (!tracer_) {
    over();
    return;
  }
  self_->request(tracer_, trace_deadline, finish_atom_v)
    .then(
      [this](const trace_counts& counts) {
        outcome_.traced = counts;
        over();
      },
      [this](const caf::error&) {
        outcome_.hung.push_back("tracer");
        over();
      });
}

void supervisor_state::check_books() {
  if (!outcome_.hung.empty())
    return;
  check_plugins();
  for (auto& each : homes_)
    if (each.home->retired() != each.home->minted())
      outcome_.losses.push_back("of " + std::to_string(each.home->minted()) + " buffers of the " + each.pipeline
                                + " pipeline only " + std::to_string(each.home->retired()) + " came home");
  const auto& counts = outcome_.saved.counts;
  if (counts.asked != counts.durable + counts.superseded + counts.failed)
    outcome_.losses.push_back("checkpoints do not add up");
  if (outcome_.end != run_end::done || !facts_)
    return;
  const auto served = outcome_.trained.samples_trained + outcome_.trained.samples_skipped;
  const auto expected_samples = outcome_.trained.epochs * facts_->train.samples_per_epoch;
  if (served != expected_samples)
    outcome_.losses.push_back("samples do not add up: " + std::to_string(served) + " trained or skipped of "
                              + std::to_string(expected_samples));
}

void supervisor_state::over() {
  phase_ = run_phase::over;
  if (outcome_.hung.empty())
    handle_plugin_failures({}); // Nobody is left who could fail, and the handle to this actor has to go.
  promise_->set_value(std::move(outcome_));
  self_->quit();
}

void supervisor_state::exit_child(const std::string& name) {
  if (auto* who = children_.find(name))
    exit_child(*who);
}

void supervisor_state::exit_child(child& who) {
  if (!who.alive() || who.told_to_exit)
    return;
  who.told_to_exit = true;
  const caf::exit_msg leave{self_->address(), caf::exit_reason::user_shutdown};
  if (who.name.starts_with("listener ")) // After what it has not heard yet.
    caf::anon_send(who.handle, leave);
  else
    caf::anon_send<caf::message_priority::high>(who.handle, leave);
}

} // namespace troupe
