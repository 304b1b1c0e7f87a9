#include "actors/support/network/device_report.hpp"

#include "actors/support/network/device_ops.hpp"

#include <torch/torch.h>

namespace troupe {

std::vector<std::string> describe_compute() {
  std::vector<std::string> lines{"LibTorch " TORCH_VERSION};
  const auto num_gpus = torch::cuda::is_available() ? torch::cuda::device_count() : 0;
  lines.push_back("GPUs: " + std::to_string(num_gpus));
  if (auto device = resolve_device("auto"))
    lines.push_back(
      "device auto: " + device->str()
      + (uses_bf16(precision::automatic, *device) ? ", computes bf16 natively" : ", fp32 (no native bf16)"));
  lines.push_back(std::string("oneDNN: ") + (at::hasMKLDNN() ? "yes" : "no")
                  + ", LAPACK: " + (at::hasLAPACK() ? "yes" : "no") + ", OpenMP: " + (at::hasOpenMP() ? "yes" : "no"));
  return lines;
}

} // namespace troupe
