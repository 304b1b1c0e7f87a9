#include "actors/support/network/model_init.hpp"

#include <ATen/CPUGeneratorImpl.h>
#include <torch/torch.h>

#include <cmath>

namespace troupe {

namespace {

/// Output channels x kernel area: how many outputs one input value reaches.
std::int64_t fan_out(const at::Tensor& weight) {
  return weight.size(0) * (weight.numel() / weight.size(0) / weight.size(1));
}

void draw_uniform(at::Tensor weight, at::Tensor bias, const at::Generator& generator) {
  const auto fan_in = weight.numel() / weight.size(0);
  const auto bound = 1 / std::sqrt(static_cast<double>(fan_in));
  weight.uniform_(-bound, bound, generator);
  if (bias.defined())
    bias.uniform_(-bound, bound, generator);
}

} // namespace

at::Generator seeded_generator(std::uint64_t seed) {
  return at::make_generator<at::CPUGeneratorImpl>(seed);
}

void init_uniform_fan_in(torch::nn::Module& model, at::Generator generator) {
  torch::NoGradGuard no_grad;
  for (const auto& layer : model.modules()) {
    if (const auto* conv = layer->as<torch::nn::Conv2d>())
      draw_uniform(conv->weight, conv->bias, generator);
    else if (const auto* linear = layer->as<torch::nn::Linear>())
      draw_uniform(linear->weight, linear->bias, generator);
  }
}

void init_residual(torch::nn::Module& model, at::Generator generator) {
  torch::NoGradGuard no_grad;
  for (const auto& layer : model.modules()) {
    if (auto* conv = layer->as<torch::nn::Conv2d>()) {
      conv->weight.normal_(0, std::sqrt(2.0 / static_cast<double>(fan_out(conv->weight))), generator);
    } else if (auto* norm = layer->as<torch::nn::BatchNorm2d>()) {
      norm->weight.fill_(1);
      norm->bias.zero_();
    } else if (auto* linear = layer->as<torch::nn::Linear>()) {
      draw_uniform(linear->weight, linear->bias, generator);
    }
  }
}

} // namespace troupe
