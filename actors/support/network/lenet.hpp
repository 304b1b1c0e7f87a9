/// A small convolutional network in the manner of LeNet, with dropout.
#pragma once

#include "actors/support/network/image_model.hpp"

namespace troupe {

/// conv 3x3 (32) -> ReLU -> pool 2 -> conv 3x3 (64) -> ReLU -> pool 2 -> dropout -> linear (128) -> ReLU -> dropout ->
/// linear (classes). Convolutions do not pad; the second pooling keeps a last odd row or column. Images of at least 8x8
/// pixels.
std::shared_ptr<image_model> build_lenet(const model_config& config, const model_io& io);

} // namespace troupe
