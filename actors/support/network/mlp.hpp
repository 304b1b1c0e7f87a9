/// A multi-layer perceptron: the smallest model.
#pragma once

#include "actors/support/network/image_model.hpp"

namespace troupe {

/// Pixels -> hidden -> hidden -> classes, with ReLU and dropout after each hidden layer. Any image size.
std::shared_ptr<image_model> build_mlp(const model_config& config, const model_io& io);

} // namespace troupe
