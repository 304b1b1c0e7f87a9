/// The models that can be trained, by name.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/network_config.hpp"

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <cstdint>
#include <memory>

namespace troupe {

/// A classifier of images: [B, C, H, W] in, logits [B, classes] out.
class image_model : public torch::nn::Module {
public:
  virtual at::Tensor forward(at::Tensor x_BCHW) = 0;
};

/// Builds the model that `config.name` names, for images and classes as in `io`, in training mode, on the CPU.
/// Its initial weights are a function of `seed` alone: they come from a generator of their own, whatever other threads
/// draw meanwhile. bad_config: unknown name, a size or a setting that the model cannot have.
/// A plugin's model is made by its plugin; what that throws is a bad_config, too.
/// LibTorch's layers draw from its default generator while they are built (the values are overwritten), so no model
/// may be built while another thread trains.
expected<std::shared_ptr<image_model>> make_model(const model_config& config, const model_io& io, std::uint64_t seed);

} // namespace troupe
