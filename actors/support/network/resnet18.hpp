/// ResNet-18 with torchvision's layout and names, so that weights go both ways.
#pragma once

#include "actors/support/network/image_model.hpp"

namespace troupe {

/// ResNet-18 (He et al., 2016). Images of up to 64x64 pixels get the usual small-image stem: a 3x3 convolution of
/// stride 1 and no max-pooling; larger ones torchvision's 7x7 of stride 2 and 3x3 max-pooling of stride 2.
std::shared_ptr<image_model> build_resnet18(const model_config& config, const model_io& io);

} // namespace troupe
