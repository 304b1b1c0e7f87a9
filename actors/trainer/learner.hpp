/// The one who trains: model, optimizer and schedule in the hands of one thread. Knows no LibTorch in its interface.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/batch_view.hpp"
#include "actors/support/network/network_config.hpp"
#include "actors/trainer/trainer_config.hpp"
#include "messages/metric.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What one micro-batch gave. Sums are over its samples.
struct micro_batch_result {
  double loss_sum = 0;           ///< Of the training loss: cross-entropy with label smoothing.
  std::uint32_t num_correct = 0; ///< Top-1, in training mode.
  std::uint32_t num_samples = 0;
  bool finite = true;                    ///< False: the step that it belongs to will not be taken.
  std::vector<sample_score> scores = {}; ///< Of each sample, in slot order, if the config wants them.
};

/// What one optimizer step did. Sums are over all samples of its micro-batches.
struct step_result {
  std::uint64_t step = 0; ///< Steps done, this one included.
  std::uint32_t num_batches = 0;
  std::uint32_t num_samples = 0;
  double loss_sum = 0;
  std::uint32_t num_correct = 0;
  double learning_rate = 0;
  double grad_norm = 0;             ///< Global L2 norm of the mean gradient, before clipping.
  std::optional<failure> not_taken; ///< nonfinite: why the weights are as they were before the step.
};

/// Trains. Everything is called on the thread that called `make`; any other thread ends the process at once.
///
/// A step is `accumulate` (or, at an epoch's end, fewer) calls of `forward_backward` and one `finish_step`. It follows
/// the gradient of the mean loss over all samples of the step, however they are spread over micro-batches.
/// Dropout is a function of (seed, step, micro-batch): nothing of LibTorch's generator needs to be stored.
class learner {
public:
  /// Sets the thread's number of torch threads and builds model and optimizer from `config.seed`.
  /// bad_config, unsupported: a setting is wrong, or is not to be had on this machine.
  static expected<std::unique_ptr<learner>> make(const trainer_config& config, const model_io& io,
                                                 std::uint64_t steps_per_epoch);
  ~learner();
  learner(const learner&) = delete;
  learner& operator=(const learner&) = delete;

  /// Adds the gradients of one micro-batch. `batch_free` is called once, as soon as the batch's memory may be used for
  /// something else: after the backward pass on the CPU, after the copy on a GPU; in any case before this returns.
  /// `batch_id` names the batch in errors. bad_data: no samples, or a label that is no class; nothing has changed then.
  expected<micro_batch_result> forward_backward(const batch_view& batch, std::uint64_t batch_id,
                                                const std::function<void()>& batch_free = {});

  /// Clips, updates the weights and forgets the gradients. If a loss or a gradient was not finite, the weights and
  /// buffers stay, bit for bit, as they were before the step, but the step counts: the schedule goes on.
  /// @pre at least one micro-batch since the last step.
  step_result finish_step();

  /// Forgets the micro-batches since the last step, as if they had not been seen.
  void abandon_step();

  /// Copies the weights, and what training needs to go on if `frame.has_training_state`, into a snapshot. `frame`
  /// brings tag, position and counts; `tag.step` is set here. nonfinite: a weight is NaN or infinite.
  /// @pre no micro-batch since the last step.
  expected<snapshot_ptr> export_snapshot(snapshot frame);

  /// Goes on from a snapshot, with the same bits as if never interrupted (at the same number of threads).
  /// mismatch: it is of another model or optimizer, or without training state; nothing has changed then.
  /// @pre no micro-batch since the last step.
  expected<void> import_snapshot(const snapshot& from);

  [[nodiscard]] std::uint64_t step() const;              ///< Steps done, from 0.
  [[nodiscard]] std::uint32_t num_micro_batches() const; ///< Since the last step.
  [[nodiscard]] std::uint64_t num_parameters() const;    ///< Trainable numbers in the model.
  [[nodiscard]] bool wants_page_locked_batches() const;  ///< It trains on a GPU.
  [[nodiscard]] std::string description() const;         ///< "lenet on cpu, fp32, channels_last, 2 torch thread(s)"

private:
  struct state;
  explicit learner(std::unique_ptr<state> x);
  std::unique_ptr<state> state_;
};

} // namespace troupe
