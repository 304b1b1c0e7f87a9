/// Devices, threads and copies that overlap with compute, without a header of CUDA.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/network_config.hpp"

#include <ATen/core/Tensor.h>
#include <c10/core/Device.h>
#include <c10/core/Stream.h>

#include <optional>
#include <string>

namespace troupe {

/// The device that `name` ("auto", "cpu", "cuda:N", "cuda") means here: auto is the first GPU if there is one.
/// bad_config: not such a name; unsupported: a GPU that this build or machine does not have.
expected<at::Device> resolve_device(const std::string& name);

/// True if autocast to bf16 is to be used for `wanted` on `device`. `automatic` says yes only where the hardware
/// computes in bf16: AVX512-BF16 or AMX-BF16, or a GPU of compute capability 8.0 or later.
[[nodiscard]] bool uses_bf16(precision wanted, at::Device device);

/// One line for the log: "lenet on cpu, fp32, channels_last, 2 torch thread(s)".
[[nodiscard]] std::string describe_compute(const model_config& model, const compute_config& compute, at::Device device,
                                           bool bf16);

/// Sets the number of OpenMP threads that LibTorch uses on the calling thread; other threads keep theirs.
/// bad_config: `num_threads` < 1.
expected<void> set_torch_threads(int num_threads);

/// Makes cuDNN choose algorithms that give the same bits every time. Harmless without it. Process-wide.
void prefer_deterministic_algorithms();

/// Copies host tensors to a device on a stream of its own, beside the compute stream. On the CPU it copies nothing.
/// Owner: one thread, the one that computes.
class upload_stream {
public:
  explicit upload_stream(at::Device device);

  /// The tensor on the device; work that is queued on the compute stream from now on waits for the copy. `host` must
  /// stay alive and unchanged until `wait` has returned; page-locked memory makes the copy asynchronous. On the CPU
  /// it is `host` itself.
  [[nodiscard]] at::Tensor upload(const at::Tensor& host);

  /// Blocks until all the copies are done.
  void wait();

private:
  at::Device device_;
  std::optional<c10::Stream> stream_; ///< Empty on the CPU.
};

} // namespace troupe
