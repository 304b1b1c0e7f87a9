// Shapes: B batch, C channels, H height, W width, K classes.
#include "actors/trainer/learner_state.hpp"

#include "actors/support/network/autocast_guard.hpp"
#include "actors/trainer/training_step.hpp"

#include <torch/torch.h>

#include <cmath>

namespace troupe {

namespace {

std::vector<at::Tensor> copies(const std::vector<at::Tensor>& tensors) {
  std::vector<at::Tensor> result;
  for (const auto& tensor : tensors)
    result.push_back(tensor.clone());
  return result;
}

void copy_all(std::vector<at::Tensor>& into, const std::vector<at::Tensor>& from) {
  torch::NoGradGuard no_grad;
  for (std::size_t i = 0; i < from.size(); ++i)
    into[i].copy_(from[i]);
}

failure nonfinite_loss(double loss, std::uint64_t step, std::uint64_t batch_id) {
  return {ec::nonfinite, "trainer: the loss of batch " + std::to_string(batch_id) + " in step " + std::to_string(step)
                           + " is " + std::to_string(loss)};
}

} // namespace

learner::state::state(const trainer_config& config_, const model_io& io_, std::uint64_t steps_per_epoch_,
                      at::Device device_, std::shared_ptr<image_model> model_, optimizer optim_)
  : config(config_), io(io_), steps_per_epoch(steps_per_epoch_), device(device_),
    bf16(uses_bf16(config.compute.number_format, device)), model(std::move(model_)), optim(std::move(optim_)),
    weights(state_entries(*model)), buffers(model->buffers()), buffers_before(copies(buffers)), uploads(device),
    snapshots(device.is_cuda()) {}

pass_outcome learner::state::run_pass(const input_tensors& inputs) {
  const auto x_BCHW = uploads.upload(inputs.x_BCHW);
  const auto labels_B = uploads.upload(inputs.labels_B);
  at::Tensor logits_BK;
  {
    autocast_guard mixed(device.type(), bf16);
    logits_BK = model->forward(x_BCHW);
  }
  auto loss = training_loss(logits_BK, labels_B, config.label_smoothing, /*mean=*/config.accumulate == 1);
  loss.backward();
  return {loss.detach(), logits_BK.detach().argmax(1).eq(labels_B).sum()};
}

micro_batch_result learner::state::add_to_step(const pass_outcome& outcome, std::uint32_t num_samples,
                                               std::uint64_t batch_id) {
  const auto loss = outcome.loss.item<double>();
  micro_batch_result result;
  result.num_samples = num_samples;
  result.loss_sum = config.accumulate == 1 ? loss * num_samples : loss;
  result.num_correct = static_cast<std::uint32_t>(outcome.num_correct.item<std::int64_t>());
  result.finite = std::isfinite(loss);
  if (!result.finite && !sums.nonfinite)
    sums.nonfinite = nonfinite_loss(loss, step + 1, batch_id);
  sums.num_batches += 1;
  sums.num_samples += result.num_samples;
  sums.loss_sum += result.loss_sum;
  sums.num_correct += result.num_correct;
  return result;
}

double learner::state::finish_gradients() {
  // The group's size is known only now: a tail group has fewer micro-batches, and its last one fewer samples.
  if (config.accumulate > 1)
    scale_gradients(optim.parameters(), 1.0 / sums.num_samples);
  return global_grad_norm(optim.parameters());
}

void learner::state::update_weights(double grad_norm, double learning_rate) {
  // As torch.nn.utils.clip_grad_norm_.
  if (config.clip_norm > 0 && grad_norm > config.clip_norm)
    scale_gradients(optim.parameters(), config.clip_norm / (grad_norm + 1e-6));
  optim.set_learning_rate(learning_rate);
  optim.step();
}

void learner::state::begin_step() {
  optim.drop_gradients();
  sums = {};
}

void learner::state::remember_buffers() {
  copy_all(buffers_before, buffers);
}

void learner::state::restore_buffers() {
  copy_all(buffers, buffers_before);
}

} // namespace troupe
