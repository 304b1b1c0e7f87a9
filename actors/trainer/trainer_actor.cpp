#include "actors/trainer/trainer_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/home_at.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/support/network/host_memory.hpp"
#include "actors/trainer/trainer_state.hpp"

#include <chrono>
#include <deque>
#include <optional>
#include <set>

namespace troupe {

namespace {

using steady_clock = std::chrono::steady_clock;

double seconds_between(steady_clock::time_point from, steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Snapshots that may be with the validator before the trainer waits: one in work, two in line.
constexpr std::size_t max_open_validations = 3;

} // namespace

void trainer_state::build() {
  trainer_ready ready;
  auto made = training_session::make({setup_.config, setup_.io, setup_.run, setup_.batches_per_epoch,
                                      std::move(setup_.resume_from), setup_.first_version});
  if (made) {
    session_ = std::move(*made);
    samples_before_ = session_->samples_trained();
    ready.first_step = session_->steps();
    ready.total_steps = session_->total_steps();
    ready.num_parameters = session_->num_parameters();
    ready.description = session_->model().description();
  } else {
    ready.error = made.error();
  }
  self_->send(setup_.supervisor, std::move(ready));
}

void trainer_state::begin(const begin_training& with) {
  loader_ = with.loader;
  validator_ = with.validator;
  if (validator_)
    self_->monitor(validator_);
  running_ = true;
  began_ = idle_since_ = steady_clock::now();
  const auto from = session_->position();
  if (stopped_before_begin_ || from.epoch >= setup_.config.epochs) {
    end(stopped_before_begin_.value_or(stop_reason::none), {}, false);
    return;
  }
  mint_buffers();
  self_->send(loader_, serve_range{from, setup_.config.epochs});
}

void trainer_state::mint_buffers() {
  home_ = home_at(loader_);
  self_->send(setup_.supervisor, buffers_minted{"training", home_});
  const auto num_bytes = setup_.layout.capacity * setup_.layout.bytes_per_sample();
  for (std::uint32_t i = 0; i < setup_.prefetch_batches; ++i) {
    auto memory = allocate_host_memory(num_bytes, session_->model().wants_page_locked_batches());
    self_->send(loader_, buffer_returned{lease<batch_buffer>(batch_buffer(home_, setup_.layout, std::move(memory)))});
  }
}

void trainer_state::add_batch(batch_ready& ready) {
  if (!running_)
    return; // The buffer goes home with the message.
  if (paused_)
    held_.push_back(std::move(ready));
  else
    train(std::move(ready));
}

void trainer_state::train(batch_ready ready) {
  const auto begun = steady_clock::now();
  auto buffer = ready.buffer.take();
  if (!buffer)
    return;
  trace_span(begun_once_ ? "waits for batch" : "waits for first batch", idle_since_, begun, {.batch = ready.batch.id});
  begun_once_ = true;
  auto send_home = [&] { self_->send(loader_, buffer_returned{lease<batch_buffer>(std::move(*buffer))}); };
  auto outcome = session_->train(ready.batch, ready.bad, *buffer, send_home);
  send_outcome(ready.batch, outcome, seconds_between(idle_since_, begun), begun);
}

/// What the step cost, and what it gave, by numbers that the batches' messages do not carry.
void trainer_state::trace_step(const batch_ref& batch, const batch_outcome& outcome,
                               steady_clock::time_point begun) const {
  trace_span("trains", begun, idle_since_, {.batch = batch.id, .step = session_->steps() + (outcome.step ? 0 : 1)});
  if (!outcome.step || outcome.step->num_samples == 0)
    return;
  const auto ids = ids_of(*outcome.step);
  trace_value("loss", outcome.step->loss_sum / outcome.step->num_samples, ids);
  trace_value("learning rate", outcome.step->learning_rate, ids);
}

void trainer_state::send_outcome(const batch_ref& batch, batch_outcome& outcome, double wait,
                                 steady_clock::time_point begun) {
  idle_since_ = steady_clock::now();
  trace_step(batch, outcome, begun);
  step_wait_ += wait;
  books_.data_wait_seconds += wait;
  step_seconds_ += seconds_between(begun, idle_since_);
  if (outcome.step) {
    outcome.step->data_wait_seconds = std::exchange(step_wait_, 0);
    outcome.step->step_seconds = std::exchange(step_seconds_, 0);
    outcome.step->since_start_seconds = seconds_between(began_, idle_since_);
    report_step(outcome);
  }
  if (outcome.rejected)
    self_->send(setup_.saver, std::move(*outcome.rejected));
  hand_on_snapshots(outcome);
  if (outcome.error.code != ec::none)
    end(stop_reason::failure, std::move(outcome.error), true);
  else if (outcome.finished)
    end(stop_reason::none, {}, false);
  else
    paused_ = has_to_wait();
}

void trainer_state::report_step(batch_outcome& outcome) {
  self_->send(setup_.logger, *outcome.step);
  if (listeners_.has_listeners())
    listeners_.report(std::make_shared<const step_report>(step_report{*outcome.step, std::move(outcome.scores)}),
                      loader_);
}

/// Snapshots leave in order, each when it is complete: the validator gives what it cannot judge to the saver.
void trainer_state::hand_on_snapshots(const batch_outcome& outcome) {
  const bool save = outcome.to_save != nullptr, validate = outcome.to_validate && validator_;
  if (!save && !validate)
    return;
  if (validate) {
    open_validations_.insert(outcome.to_validate->tag.version);
    ++books_.snapshots_for_validation;
  }
  listeners_.complete(save ? outcome.to_save : outcome.to_validate, [=, this](const snapshot_ptr& whole) {
    if (save)
      self_->send(setup_.saver, whole);
    if (validate && validator_)
      self_->send(validator_, whole);
  });
}

bool trainer_state::has_to_wait() const {
  return listeners_.is_behind() || (setup_.wait_for_validator && open_validations_.size() >= max_open_validations);
}

void trainer_state::validation_settled(std::uint64_t version) {
  open_validations_.erase(version);
  resume_if_possible();
}

void trainer_state::validator_gone() {
  validator_ = nullptr;
  open_validations_.clear();
  resume_if_possible();
}

void trainer_state::resume_if_possible() {
  if (!paused_ || has_to_wait())
    return;
  paused_ = false;
  const auto now = steady_clock::now();
  trace_span("waits for validator", idle_since_, now); // Or for a listener.
  books_.validation_wait_seconds += seconds_between(idle_since_, now);
  idle_since_ = now;
  while (running_ && !paused_ && !held_.empty()) {
    auto next = std::move(held_.front());
    held_.pop_front();
    train(std::move(next));
  }
}

void trainer_state::stop(const stop_training& order) {
  if (running_)
    end(order.reason, {}, order.save);
  else if (!loader_) // A stop goes ahead of all else, of the word to begin too.
    stopped_before_begin_ = order.reason;
}

void trainer_state::end(stop_reason reason, failure error, bool save) {
  running_ = false;
  held_.clear();
  books_.train_seconds = seconds_between(began_, steady_clock::now());
  if (save) {
    auto last = session_->stop();
    if (last && *last)
      listeners_.complete(*last, [this](const snapshot_ptr& whole) { self_->send(setup_.saver, whole); });
    else if (!last && error.code == ec::none)
      error = last.error();
  }
  books_.reason = reason;
  books_.error = std::move(error);
  books_.epochs = session_->position().epoch;
  books_.steps = session_->steps();
  books_.batches = session_->batches_trained();
  books_.samples_trained = session_->samples_trained();
  books_.samples_skipped = session_->samples_skipped();
  books_.samples_here = session_->samples_trained() - samples_before_;
  close_home();
  listeners_.when_idle([this] { self_->send(setup_.supervisor, books_); });
}

void trainer_state::close_home() {
  if (home_)
    home_->close();
  home_.reset();
}

actor_status trainer_state::status() const {
  if (!session_)
    return {"could not build its model", 0, true};
  const auto next = session_->position();
  const auto place = "epoch " + std::to_string(next.epoch + 1) + ", step " + std::to_string(session_->steps() + 1);
  if (!running_)
    return {"has ended", session_->batches_trained(), true};
  if (paused_)
    return {"waits for the validator or a listener before " + place, session_->batches_trained(), false};
  return {"waits for the batch of " + place, session_->batches_trained(), false};
}

trainer_actor::behavior_type trainer(trainer_pointer self, trainer_setup setup) {
  name_thread("trainer");
  pin_thread(setup.cpus);
  trace_name(self, "trainer");
  report_exceptions(self, "trainer");
  auto state = std::make_shared<trainer_state>(self, std::move(setup));
  self->state.impl = state;
  self->set_down_handler([self](caf::down_msg&) { self->state.impl->validator_gone(); });
  state->build();
  return {
    [self](const begin_training& with) { self->state.impl->begin(with); },
    [self](const listeners_now& who) { self->state.impl->follow(who); },
    [self](batch_ready& ready) { self->state.impl->add_batch(ready); },
    [self](const snapshot_judged& x) { self->state.impl->validation_settled(x.version); },
    [self](const stop_training& order) { self->state.impl->stop(order); },
    [self](status_atom) { return self->state.impl->status(); },
  };
}

} // namespace troupe
