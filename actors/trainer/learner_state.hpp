/// What a learner owns. The part of learner.cpp that computes.
#pragma once

#include "actors/support/network/contract.hpp"
#include "actors/support/network/device_ops.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/input_tensors.hpp"
#include "actors/support/network/state_dict.hpp"
#include "actors/trainer/learner.hpp"
#include "actors/trainer/optimizer.hpp"
#include "actors/trainer/snapshot_maker.hpp"

#include <memory>
#include <optional>
#include <vector>

namespace troupe {

/// The micro-batches since the last step, added up.
struct step_sums {
  std::uint32_t num_batches = 0;
  std::uint32_t num_samples = 0;
  double loss_sum = 0;
  std::uint32_t num_correct = 0;
  std::optional<failure> nonfinite; ///< The first loss that was not finite.
};

/// What a pass leaves behind: no graph, nothing that refers to the batch.
struct pass_outcome {
  at::Tensor loss; ///< Mean over the samples if `accumulate` is 1, else their sum.
  at::Tensor num_correct;
  at::Tensor losses_B = {}; ///< Undefined unless samples are scored, as are those below.
  at::Tensor labels_B = {};
  at::Tensor predicted_B = {};
};

/// What each sample of a pass came to, without its id; none unless samples are scored. Waits for the device.
[[nodiscard]] std::vector<sample_score> scores_of(const pass_outcome& outcome);

struct learner::state {
  state(const trainer_config& config, const model_io& io, std::uint64_t steps_per_epoch, at::Device device,
        std::shared_ptr<image_model> model, optimizer optim);

  /// Runs forward and backward, which adds to the gradients. Queued on the device, not waited for.
  /// `lone`: one sample is all that is left of a batch.
  pass_outcome run_pass(const input_tensors& inputs, double own_share, bool lone);

  /// Adds a pass of `num_samples` to the sums. Waits for the device.
  micro_batch_result add_to_step(const pass_outcome& outcome, std::uint32_t num_samples, std::uint64_t batch_id);

  /// Updates the weights by the gradients of the step, whose norm has been found finite.
  void update_weights(double grad_norm, double learning_rate);

  /// The norm of the mean gradient over the step's samples; leaves that mean in the gradients.
  double finish_gradients();

  /// Ready for the first micro-batch of a step.
  void begin_step();

  /// Keeps what forward passes change, for `restore_buffers`.
  void remember_buffers();

  /// Takes back what forward passes have changed since.
  void restore_buffers();

  owner_thread owner;
  trainer_config config;
  model_io io;
  std::uint64_t steps_per_epoch;
  at::Device device;
  bool bf16;
  std::shared_ptr<image_model> model;
  optimizer optim;
  std::vector<state_entry> weights;       ///< Parameters and buffers.
  std::vector<at::Tensor> buffers;        ///< What a forward pass changes.
  std::vector<at::Tensor> buffers_before; ///< Their values at the last step.
  upload_stream uploads;
  snapshot_maker snapshots;
  std::uint64_t step = 0;
  step_sums sums;
};

} // namespace troupe
