/// The shape of the model and the numbers it computes with; shared by trainer and validator.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <string>

namespace troupe {

struct model_config {
  std::string name = "lenet"; ///< mlp | lenet | resnet18 | a plugin's
  double dropout = 0.25;      ///< Drop probability of mlp and lenet, 0..1 (1 excluded).
  std::int64_t hidden = 256;  ///< Width of mlp's hidden layers.
  parameters options = {};    ///< What a plugin's model takes.
};

/// What the data set says about the model's input and output.
struct model_io {
  std::int64_t channels = 1;
  std::int64_t height = 28;
  std::int64_t width = 28;
  std::int64_t num_classes = 10;
};

/// fp32, bf16 autocast, or bf16 where the device computes it natively.
enum class precision : std::uint8_t { fp32, bf16, automatic };

/// How to run a model on a device.
struct compute_config {
  std::string device = "auto"; ///< auto | cpu | cuda:N
  precision number_format = precision::fp32;
  bool channels_last = true;
  int torch_threads = 1; ///< OpenMP threads of the calling thread, 1..cores.
};

} // namespace troupe
