#include "actors/trainer/learner.hpp"

#include "actors/support/network/memory_layout.hpp"
#include "actors/trainer/learner_state.hpp"
#include "actors/trainer/lr_schedule.hpp"
#include "actors/trainer/training_step.hpp"

#include <torch/torch.h>

#include <cmath>

namespace troupe {

namespace {

constexpr const char* who = "learner";

failure refuse(const std::string& why) {
  return {ec::bad_config, "trainer: " + why};
}

expected<void> check_config(const trainer_config& config, std::uint64_t steps_per_epoch) {
  if (config.accumulate < 1)
    return refuse("accumulate is 0, expected at least 1");
  if (config.epochs < 1)
    return refuse("epochs is 0, expected at least 1");
  if (steps_per_epoch < 1)
    return refuse("an epoch has no steps: the data set is empty");
  if (!(config.clip_norm >= 0))
    return refuse("clip_norm is " + std::to_string(config.clip_norm) + ", expected 0 (off) or more");
  if (!(config.label_smoothing >= 0 && config.label_smoothing < 1))
    return refuse("label_smoothing is " + std::to_string(config.label_smoothing) + ", expected 0 <= x < 1");
  return check_lr_schedule(config.lr_schedule, config.optimizer.lr);
}

std::vector<state_entry> parameter_entries(const image_model& model) {
  std::vector<state_entry> result;
  for (const auto& parameter : model.named_parameters())
    result.push_back({parameter.key(), parameter.value()});
  return result;
}

} // namespace

learner::learner(std::unique_ptr<state> x) : state_(std::move(x)) {}

learner::~learner() = default;

expected<std::unique_ptr<learner>> learner::make(const trainer_config& config, const model_io& io,
                                                 std::uint64_t steps_per_epoch) {
  if (auto ok = check_config(config, steps_per_epoch); !ok)
    return ok.error();
  if (auto ok = set_torch_threads(config.compute.torch_threads); !ok)
    return ok.error();
  const auto device = resolve_device(config.compute.device);
  if (!device)
    return device.error();
  prefer_deterministic_algorithms();
  auto model = make_model(config.model, io, config.seed);
  if (!model)
    return model.error();
  (*model)->to(*device);
  if (config.compute.channels_last)
    lay_out_channels_last(**model);
  auto optim = optimizer::make(config.optimizer, parameter_entries(**model));
  if (!optim)
    return optim.error();
  return std::unique_ptr<learner>(
    new learner(std::make_unique<state>(config, io, steps_per_epoch, *device, std::move(*model), std::move(*optim))));
}

expected<micro_batch_result> learner::forward_backward(const batch_view& batch, std::uint64_t batch_id,
                                                       const std::function<void()>& batch_free) {
  auto& s = *state_;
  s.owner.check(who);
  require(s.model->is_training(), who, "the model is not in training mode");
  const auto inputs = wrap_batch(batch, s.io);
  if (!inputs)
    return inputs.error();
  if (s.sums.num_batches == 0)
    s.remember_buffers();
  seed_default_generators(s.config.seed, s.step, s.sums.num_batches);
  const auto outcome = s.run_pass(*inputs, batch.own_share, batch.tail && batch.num_samples == 1);
  s.uploads.wait();
  if (batch_free)
    batch_free();
  return s.add_to_step(outcome, static_cast<std::uint32_t>(batch.num_samples), batch_id);
}

step_result learner::finish_step() {
  auto& s = *state_;
  s.owner.check(who);
  require(s.sums.num_batches > 0, who, "a step without a micro-batch");
  step_result result;
  result.learning_rate = learning_rate_at(s.config.lr_schedule, s.config.optimizer.lr, s.step, s.steps_per_epoch,
                                          s.config.epochs * s.steps_per_epoch);
  result.grad_norm = s.finish_gradients();
  result.not_taken = s.sums.nonfinite;
  if (!result.not_taken && !std::isfinite(result.grad_norm))
    result.not_taken = failure{ec::nonfinite, "trainer: the gradient of step " + std::to_string(s.step + 1)
                                                + " has the norm " + std::to_string(result.grad_norm)};
  if (result.not_taken)
    s.restore_buffers();
  else
    s.update_weights(result.grad_norm, result.learning_rate);
  result.step = ++s.step;
  result.num_batches = s.sums.num_batches;
  result.num_samples = s.sums.num_samples;
  result.loss_sum = s.sums.loss_sum;
  result.num_correct = s.sums.num_correct;
  s.begin_step();
  return result;
}

void learner::abandon_step() {
  auto& s = *state_;
  s.owner.check(who);
  if (s.sums.num_batches == 0)
    return;
  s.restore_buffers();
  s.begin_step();
}

expected<snapshot_ptr> learner::export_snapshot(snapshot frame) {
  auto& s = *state_;
  s.owner.check(who);
  require(s.sums.num_batches == 0, who, "a snapshot in the middle of a step");
  frame.tag.step = s.step;
  if (!frame.has_training_state)
    return s.snapshots.make(std::move(frame), s.weights, {});
  frame.optimizer_counters = s.optim.counters();
  return s.snapshots.make(std::move(frame), s.weights, s.optim.state());
}

expected<void> learner::import_snapshot(const snapshot& from) {
  auto& s = *state_;
  s.owner.check(who);
  require(s.sums.num_batches == 0, who, "a resume in the middle of a step");
  if (!from.has_training_state)
    return failure{ec::mismatch, "trainer: the snapshot of step " + std::to_string(from.tag.step)
                                   + " has no training state, so training cannot go on from it"};
  if (auto ok = check_entries("model weights", s.weights, from.weights); !ok)
    return ok;
  if (auto ok = s.optim.load(from.optimizer_state, from.optimizer_counters); !ok)
    return ok;
  copy_entries(s.weights, from.weights);
  s.step = from.tag.step;
  return {};
}

std::uint64_t learner::step() const {
  state_->owner.check(who);
  return state_->step;
}

std::uint32_t learner::num_micro_batches() const {
  state_->owner.check(who);
  return state_->sums.num_batches;
}

std::uint64_t learner::num_parameters() const {
  state_->owner.check(who);
  std::uint64_t count = 0;
  for (const auto& parameter : state_->optim.parameters())
    count += static_cast<std::uint64_t>(parameter.value.numel());
  return count;
}

bool learner::wants_page_locked_batches() const {
  state_->owner.check(who);
  return state_->device.is_cuda();
}

std::string learner::description() const {
  const auto& s = *state_;
  s.owner.check(who);
  return describe_compute(s.config.model, s.config.compute, s.device, s.bf16);
}

} // namespace troupe
