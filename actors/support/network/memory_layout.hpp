/// The order of a model's weights in memory.
#pragma once

#include <torch/nn/module.h>

namespace troupe {

/// Lays out the weights of convolutions channels last, as convolutions of channels_last images want them. Names, shapes
/// and values stay. Call it before an optimizer or anybody else looks at the strides.
void lay_out_channels_last(torch::nn::Module& model);

} // namespace troupe
