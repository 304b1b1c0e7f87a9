#include "actors/support/network/device_ops.hpp"

#include <ATen/Parallel.h>
#include <c10/core/Event.h>
#include <c10/core/StreamGuard.h>
#include <c10/core/impl/VirtualGuardImpl.h>
#include <torch/torch.h>

#include <charconv>

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace troupe {

namespace {

int num_gpus() {
  if (!c10::impl::hasDeviceGuardImpl(at::kCUDA))
    return 0;
  return c10::impl::VirtualGuardImpl(at::kCUDA).deviceCount();
}

/// The N of "cuda:N"; 0 for "cuda"; nothing for anything else.
std::optional<int> gpu_index(std::string_view name) {
  if (name == "cuda")
    return 0;
  constexpr std::string_view prefix = "cuda:";
  if (!name.starts_with(prefix))
    return std::nullopt;
  name.remove_prefix(prefix.size());
  int index = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), index);
  if (error != std::errc{} || end != name.data() + name.size() || index < 0 || index > 127)
    return std::nullopt;
  return index;
}

/// Intel SDM vol. 2A, CPUID leaf 7: AVX512_BF16 is bit 5 of subleaf 1's EAX, AMX-BF16 bit 22 of subleaf 0's EDX.
/// The operating system saves AVX-512 registers where the compiler's runtime says that AVX-512F can be used.
bool cpu_computes_bf16() {
#if defined(__x86_64__)
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (!__builtin_cpu_supports("avx512f") || !__get_cpuid_count(7, 0, &a, &b, &c, &d))
    return false;
  const bool amx_bf16 = d & (1u << 22);
  const bool avx512_bf16 = __get_cpuid_count(7, 1, &a, &b, &c, &d) && (a & (1u << 5));
  return amx_bf16 || avx512_bf16;
#else
  return false;
#endif
}

/// The one question about compute capability 8.0 that LibTorch answers without CUDA's headers; where a release does
/// not have it, the answer is no.
template <class Hooks>
bool gpu_computes_bf16(const Hooks& hooks) {
  if constexpr (requires { hooks.supportsBFloat16ConvolutionWithCuDNNv8(); })
    return hooks.supportsBFloat16ConvolutionWithCuDNNv8();
  else
    return false;
}

} // namespace

expected<at::Device> resolve_device(const std::string& name) {
  const auto found = num_gpus();
  if (name == "cpu" || (name == "auto" && found == 0))
    return at::Device(at::kCPU);
  if (name == "auto")
    return at::Device(at::kCUDA, 0);
  const auto index = gpu_index(name);
  if (!index)
    return failure{ec::bad_config, "device: '" + name + "' is not a device, expected auto, cpu or cuda:N"};
  if (!c10::impl::hasDeviceGuardImpl(at::kCUDA))
    return failure{ec::unsupported, "device: " + name + " was asked for, but this LibTorch is built without CUDA"};
  if (*index >= found)
    return failure{ec::unsupported,
                   "device: " + name + " was asked for, but there are " + std::to_string(found) + " GPUs"};
  return at::Device(at::kCUDA, static_cast<at::DeviceIndex>(*index));
}

bool uses_bf16(precision wanted, at::Device device) {
  if (wanted != precision::automatic)
    return wanted == precision::bf16;
  return device.is_cuda() ? gpu_computes_bf16(at::detail::getCUDAHooks()) : cpu_computes_bf16();
}

std::string describe_compute(const model_config& model, const compute_config& compute, at::Device device, bool bf16) {
  return model.name + " on " + device.str() + ", " + (bf16 ? "bf16" : "fp32") + ", "
         + (compute.channels_last ? "channels_last" : "channels_first") + ", " + std::to_string(compute.torch_threads)
         + " torch thread(s)";
}

expected<void> set_torch_threads(int num_threads) {
  if (num_threads < 1)
    return failure{ec::bad_config, "torch_threads is " + std::to_string(num_threads) + ", expected at least 1"};
  // A thread's first parallel region copies the number that any thread has set last. Asking first does that now, so
  // that it cannot undo the setting later.
  static_cast<void>(at::get_num_threads());
  at::set_num_threads(num_threads);
  return {};
}

void prefer_deterministic_algorithms() {
  at::globalContext().setDeterministicCuDNN(true);
  at::globalContext().setBenchmarkCuDNN(false);
}

upload_stream::upload_stream(at::Device device) : device_(device) {
  if (device.is_cuda())
    stream_ = c10::impl::VirtualGuardImpl(device.type()).getStreamFromGlobalPool(device, false);
}

at::Tensor upload_stream::upload(const at::Tensor& host) {
  if (!stream_)
    return host;
  const auto compute = c10::impl::VirtualGuardImpl(device_.type()).getStream(device_);
  at::Tensor copy;
  {
    c10::StreamGuard on_side_stream(*stream_);
    copy = host.to(device_, /*non_blocking=*/true);
  }
  c10::Event copied(device_.type());
  copied.record(*stream_);
  copied.block(compute);
  // The allocator may not reuse the copy's memory before the compute stream is done with it.
  copy.record_stream(compute);
  return copy;
}

void upload_stream::wait() {
  if (stream_)
    stream_->synchronize();
}

} // namespace troupe
