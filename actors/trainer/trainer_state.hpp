/// The trainer as its handlers see it. For trainer_actor.cpp only.
#pragma once

#include "actors/trainer/listener_desk.hpp"
#include "actors/trainer/training_session.hpp"

#include <chrono>
#include <cstdint>
#include <deque>
#include <memory>
#include <optional>
#include <set>

namespace troupe {

class trainer_state {
public:
  trainer_state(trainer_pointer self, trainer_setup setup)
    : self_(self), setup_(std::move(setup)),
      listeners_(self, setup_.listener_timeout, setup_.supervisor, setup_.num_samples, setup_.sampling,
                 [this] { resume_if_possible(); }) {}
  ~trainer_state() { close_home(); }

  /// Builds the session and reports.
  void build();
  void follow(const listeners_now& who) { listeners_.follow(who); }
  void begin(const begin_training& with);
  void add_batch(batch_ready& ready);
  void validation_settled(std::uint64_t version);
  void validator_gone();
  void stop(const stop_training& order);
  [[nodiscard]] actor_status status() const;

private:
  void mint_buffers();
  void train(batch_ready ready);
  void trace_step(const batch_ref& batch, const batch_outcome& outcome,
                  std::chrono::steady_clock::time_point begun) const;
  void send_outcome(const batch_ref& batch, batch_outcome& outcome, double wait,
                    std::chrono::steady_clock::time_point begun);
  void report_step(batch_outcome& outcome);
  void hand_on_snapshots(const batch_outcome& outcome);
  /// For the validator, or for a listener that is behind.
  [[nodiscard]] bool has_to_wait() const;
  void resume_if_possible();
  void end(stop_reason reason, failure error, bool save);
  void close_home();

  trainer_pointer self_;
  trainer_setup setup_;
  listener_desk listeners_;
  std::unique_ptr<training_session> session_;
  std::shared_ptr<buffer_home> home_;
  loader_actor loader_;
  validator_actor validator_;
  std::deque<batch_ready> held_;             ///< Came while the trainer waited for the validator.
  std::set<std::uint64_t> open_validations_; ///< Versions.
  bool running_ = false;
  bool begun_once_ = false; ///< There was a batch.
  bool paused_ = false;
  std::optional<stop_reason> stopped_before_begin_;
  training_ended books_;
  std::uint64_t samples_before_ = 0;
  std::chrono::steady_clock::time_point began_;
  std::chrono::steady_clock::time_point idle_since_;
  double step_wait_ = 0; ///< Of the step so far.
  double step_seconds_ = 0;
};

} // namespace troupe
