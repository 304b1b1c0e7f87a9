/// The arithmetic of a training step.
#pragma once

#include "actors/support/network/state_dict.hpp"

#include <ATen/core/Tensor.h>

#include <cstdint>
#include <span>

namespace troupe {

/// What the logits should have been.
struct loss_targets {
  at::Tensor labels_B;
  at::Tensor weights_B = {}; ///< Factor of each sample's label; undefined: 1.
  double own_share = 1; ///< The rest is the label of the sample before, for the first the last one's (MixUp, CutMix).
};

/// Cross-entropy in fp32, whatever the type of the logits, with the labels mixed with the uniform distribution by
/// `label_smoothing` (Szegedy et al., 2016). The mean over the samples (not over the weights), or their sum.
[[nodiscard]] at::Tensor training_loss(const at::Tensor& logits_BK, const loss_targets& targets, double label_smoothing,
                                       bool mean);

/// Cross-entropy of each sample with its own label, in fp32, without smoothing.
[[nodiscard]] at::Tensor training_loss_per_sample(const at::Tensor& logits_BK, const at::Tensor& labels_B);

/// The L2 norm of all gradients as one vector; NaN or infinite exactly if a gradient is, or if their squares overflow
/// fp32.
[[nodiscard]] double global_grad_norm(std::span<const state_entry> parameters);

/// Multiplies all gradients by `factor`.
void scale_gradients(std::span<const state_entry> parameters, double factor);

/// Makes dropout a function of (seed, step, micro-batch): seeds LibTorch's default generators by them.
void seed_default_generators(std::uint64_t seed, std::uint64_t step, std::uint32_t micro_batch);

} // namespace troupe
