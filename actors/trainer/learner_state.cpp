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

/// What is left of a batch may be one sample, which has hardly statistics of its own: batch norm takes the running ones
/// for it, and leaves them alone.
class lone_sample_guard {
public:
  lone_sample_guard(image_model& model, bool alone) {
    if (alone)
      for (const auto& module : model.modules(/*include_self=*/false))
        if (module->as<torch::nn::BatchNorm2d>() != nullptr)
          norms_.push_back(module);
    for (const auto& norm : norms_)
      norm->eval();
  }
  ~lone_sample_guard() {
    for (const auto& norm : norms_)
      norm->train();
  }
  lone_sample_guard(const lone_sample_guard&) = delete;
  lone_sample_guard& operator=(const lone_sample_guard&) = delete;

private:
  std::vector<std::shared_ptr<torch::nn::Module>> norms_;
};

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

pass_outcome learner::state::run_pass(const input_tensors& inputs, double own_share, bool lone) {
  auto x_BCHW = uploads.upload(inputs.x_BCHW);
  if (!bf16)
    x_BCHW = x_BCHW.to(at::kFloat);
  loss_targets targets{uploads.upload(inputs.labels_B), {}, own_share};
  if (inputs.weights_B.defined())
    targets.weights_B = uploads.upload(inputs.weights_B);
  at::Tensor logits_BK;
  {
    autocast_guard mixed(device.type(), bf16);
    lone_sample_guard alone(*model, lone);
    logits_BK = model->forward(x_BCHW);
  }
  auto loss = training_loss(logits_BK, targets, config.label_smoothing, /*mean=*/config.accumulate == 1);
  loss.backward();
  const auto predicted_B = logits_BK.detach().argmax(1);
  pass_outcome outcome{loss.detach(), predicted_B.eq(targets.labels_B).sum()};
  if (config.scores_samples) {
    outcome.losses_B = training_loss_per_sample(logits_BK.detach(), targets.labels_B);
    outcome.labels_B = targets.labels_B;
    outcome.predicted_B = predicted_B;
  }
  return outcome;
}

std::vector<sample_score> scores_of(const pass_outcome& outcome) {
  std::vector<sample_score> scores;
  if (!outcome.losses_B.defined())
    return scores;
  const auto on_host = [](const at::Tensor& x, at::ScalarType type) { return x.to(at::kCPU, type).contiguous(); };
  const auto losses = on_host(outcome.losses_B, at::kFloat);
  const auto labels = on_host(outcome.labels_B, at::kLong);
  const auto predicted = on_host(outcome.predicted_B, at::kLong);
  for (std::int64_t i = 0; i < losses.numel(); ++i)
    scores.push_back(
      {0, labels.data_ptr<std::int64_t>()[i], predicted.data_ptr<std::int64_t>()[i], losses.data_ptr<float>()[i]});
  return scores;
}

micro_batch_result learner::state::add_to_step(const pass_outcome& outcome, std::uint32_t num_samples,
                                               std::uint64_t batch_id) {
  const auto loss = outcome.loss.item<double>();
  micro_batch_result result;
  result.num_samples = num_samples;
  result.loss_sum = config.accumulate == 1 ? loss * num_samples : loss;
  result.num_correct = static_cast<std::uint32_t>(outcome.num_correct.item<std::int64_t>());
  result.finite = std::isfinite(loss);
  result.scores = scores_of(outcome);
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
