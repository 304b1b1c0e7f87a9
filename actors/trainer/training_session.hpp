/// The trainer's book-keeping: which batches make a step, what is due after it, when training is over. Logic only: no
/// actor, no clock.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/trainer/learner.hpp"
#include "actors/trainer/trainer_config.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/flow.hpp"
#include "messages/metric.hpp"
#include "messages/run_events.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_set>
#include <vector>

namespace troupe {

/// What a session is about, besides the recipe.
struct session_setup {
  trainer_config config;
  model_io io;
  std::string run; ///< Run name, for the snapshots' tags.
  std::uint64_t batches_per_epoch = 1;
  snapshot_ptr resume_from;        ///< With training state; null: start afresh.
  std::uint64_t first_version = 1; ///< Of the snapshots of this process.
};

/// What came of one batch.
struct batch_outcome {
  std::optional<step_completed> step;     ///< Set if the batch completed a step or an epoch; without times.
  snapshot_ptr to_save;                   ///< Set if a checkpoint is due.
  snapshot_ptr to_validate;               ///< Set if a validation is due; the same snapshot where both are.
  std::optional<batch_rejected> rejected; ///< Set if its loss, or the gradient of its step, was not finite.
  bool finished = false;                  ///< All epochs are done.
  std::vector<sample_score> scores; ///< With `step`: of its samples, in batch and slot order, if the config wants them.
  failure error;                    ///< Not `none`: training must stop; `to_save` may still be set.
};

/// Owned by the training thread; everything is called on it (the learner checks).
class training_session {
public:
  /// Builds the model, and restores it if there is a snapshot to resume from.
  static expected<std::unique_ptr<training_session>> make(session_setup setup);

  /// Trains on the first `ready.num_samples` slots; `bad` are those that were left out. `buffer_free` is called once, when nothing refers to the buffer's
  /// memory any more; until it is, `buffer` must stay.
  batch_outcome train(const batch_ref& ready, std::span<const bad_sample> bad, const batch_buffer& buffer,
                      const std::function<void()>& buffer_free);

  /// Gives the micro-batches since the last step up and returns a snapshot of it with training state, or nothing if the
  /// last checkpoint is of that step already.
  expected<snapshot_ptr> stop();

  [[nodiscard]] data_position position() const noexcept { return boundary_.next; }
  [[nodiscard]] std::uint64_t steps() const { return learner_->step(); }
  [[nodiscard]] std::uint64_t total_steps() const noexcept;
  [[nodiscard]] std::uint64_t samples_trained() const noexcept { return boundary_.samples_trained; }
  [[nodiscard]] std::uint64_t samples_skipped() const noexcept { return boundary_.samples_skipped; }
  [[nodiscard]] std::uint64_t batches_trained() const noexcept { return boundary_.batches_trained; }
  [[nodiscard]] std::uint64_t num_parameters() const noexcept { return num_parameters_; }
  [[nodiscard]] const learner& model() const noexcept { return *learner_; }

private:
  training_session(session_setup setup, std::unique_ptr<learner> trained);

  [[nodiscard]] std::uint64_t steps_per_epoch() const noexcept;
  /// False if the step was not taken: a loss or a gradient was not finite.
  bool complete_step(const batch_ref& batch, batch_outcome& outcome);
  bool finish_step(step_completed& step, batch_outcome& outcome);
  void add_scores(std::vector<sample_score> scores, std::span<const std::uint64_t> ids);
  void remember_bad();
  void add_window(step_completed& step);
  void add_snapshots(const batch_ref& batch, std::uint64_t step, bool stepped, batch_outcome& outcome);
  expected<snapshot_ptr> take_snapshot(bool with_training_state);
  [[nodiscard]] static batch_rejected copy_for_inspection(const batch_ref& batch, const batch_buffer& buffer,
                                                          bool with_pixels);

  session_setup setup_;
  std::unique_ptr<learner> learner_;
  std::uint64_t num_parameters_ = 0;
  snapshot boundary_;               ///< Counts, position and sums at the last step boundary; no tensors.
  std::uint64_t group_samples_ = 0; ///< Trained since the boundary.
  std::uint64_t group_skipped_ = 0;
  std::vector<bad_sample> group_bad_;
  std::unordered_set<std::uint64_t> known_bad_; ///< Ids of `boundary_.bad_samples`.
  std::uint32_t group_batches_ = 0;
  std::vector<sample_score> group_scores_;
  bool group_suspect_ = false; ///< One of its losses was not finite.
  std::uint64_t group_first_batch_ = 0;
  std::uint64_t next_version_ = 1;
  std::optional<std::uint64_t> saved_step_; ///< Of the newest snapshot with training state.
};

} // namespace troupe
