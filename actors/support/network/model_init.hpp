/// Initial weights, drawn from a given generator.
#pragma once

#include <ATen/core/Generator.h>
#include <torch/nn/module.h>

#include <cstdint>

namespace troupe {

/// A CPU generator of its own: independent of LibTorch's default one.
[[nodiscard]] at::Generator seeded_generator(std::uint64_t seed);

/// Draws weights and biases of convolutions and linear layers from U(-b, b), b = 1 / sqrt(fan_in): torch.nn's default
/// (He et al., 2015, with a = sqrt(5)).
void init_uniform_fan_in(torch::nn::Module& model, at::Generator generator);

/// torchvision's initialisation of residual networks: convolutions N(0, sqrt(2 / fan_out)) (He et al., 2015), batch
/// normalisation 1 and 0, linear layers as in `init_uniform_fan_in`.
void init_residual(torch::nn::Module& model, at::Generator generator);

} // namespace troupe
