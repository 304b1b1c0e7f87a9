#include "actors/support/network/memory_layout.hpp"

#include <torch/torch.h>

namespace troupe {

void lay_out_channels_last(torch::nn::Module& model) {
  torch::NoGradGuard no_grad;
  for (auto& parameter : model.parameters())
    if (parameter.dim() == 4)
      parameter.set_data(parameter.contiguous(at::MemoryFormat::ChannelsLast));
}

} // namespace troupe
