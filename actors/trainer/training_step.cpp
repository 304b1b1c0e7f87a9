// Shapes: B batch, K classes.
#include "actors/trainer/training_step.hpp"

#include "actors/support/rng.hpp"

#include <torch/torch.h>

#include <vector>

namespace troupe {

namespace {

/// Keeps these seeds apart from everything else that is hashed from the same ids.
constexpr std::uint64_t dropout_stream = 0x64726f706f7574; // "dropout"

} // namespace

at::Tensor training_loss(const at::Tensor& logits_BK, const loss_targets& targets, double label_smoothing, bool mean) {
  const auto reduction = mean ? at::Reduction::Mean : at::Reduction::Sum;
  const auto loss_for = [logits = logits_BK.to(at::kFloat), label_smoothing](const at::Tensor& labels_B, auto how) {
    return at::cross_entropy_loss(logits, labels_B, /*weight=*/{}, how, /*ignore_index=*/-100, label_smoothing);
  };
  if (targets.own_share == 1 && !targets.weights_B.defined())
    return loss_for(targets.labels_B, reduction);
  const auto weighted = [&loss_for](const at::Tensor& labels_B, const at::Tensor& weights_B) {
    const auto losses_B = loss_for(labels_B, at::Reduction::None);
    return weights_B.defined() ? losses_B * weights_B : losses_B;
  };
  auto loss_B = weighted(targets.labels_B, targets.weights_B);
  if (targets.own_share != 1) {
    const auto& weights_B = targets.weights_B;
    const auto others_B = weighted(targets.labels_B.roll(1), weights_B.defined() ? weights_B.roll(1) : weights_B);
    loss_B = targets.own_share * loss_B + (1 - targets.own_share) * others_B;
  }
  return mean ? loss_B.mean() : loss_B.sum();
}

at::Tensor training_loss_per_sample(const at::Tensor& logits_BK, const at::Tensor& labels_B) {
  torch::NoGradGuard no_grad;
  return at::cross_entropy_loss(logits_BK.to(at::kFloat), labels_B, /*weight=*/{}, at::Reduction::None);
}

double global_grad_norm(std::span<const state_entry> parameters) {
  torch::NoGradGuard no_grad;
  std::vector<at::Tensor> norms;
  for (const auto& parameter : parameters)
    if (const auto& grad = parameter.value.grad(); grad.defined())
      norms.push_back(grad.norm());
  return norms.empty() ? 0 : at::stack(norms).norm().item<double>();
}

void scale_gradients(std::span<const state_entry> parameters, double factor) {
  torch::NoGradGuard no_grad;
  for (const auto& parameter : parameters)
    if (auto grad = parameter.value.grad(); grad.defined())
      grad.mul_(factor);
}

void seed_default_generators(std::uint64_t seed, std::uint64_t step, std::uint32_t micro_batch) {
  torch::manual_seed(hash_ids(seed, step, micro_batch, dropout_stream));
}

} // namespace troupe
