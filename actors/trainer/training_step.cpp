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

at::Tensor training_loss(const at::Tensor& logits_BK, const at::Tensor& labels_B, double label_smoothing, bool mean) {
  return at::cross_entropy_loss(logits_BK.to(at::kFloat), labels_B, /*weight=*/{},
                                mean ? at::Reduction::Mean : at::Reduction::Sum, /*ignore_index=*/-100,
                                label_smoothing);
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
