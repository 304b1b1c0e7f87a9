#include "actors/support/network/autocast_guard.hpp"

#include <ATen/autocast_mode.h>
#include <torch/torch.h>

namespace troupe {

namespace {

// LibTorch 2.4 gave all devices one interface.
#if TORCH_VERSION_MAJOR > 2 || (TORCH_VERSION_MAJOR == 2 && TORCH_VERSION_MINOR >= 4)

bool is_enabled(at::DeviceType device) {
  return at::autocast::is_autocast_enabled(device);
}
void set_enabled(at::DeviceType device, bool on) {
  at::autocast::set_autocast_enabled(device, on);
}
at::ScalarType type_in_use(at::DeviceType device) {
  return at::autocast::get_autocast_dtype(device);
}
void set_type(at::DeviceType device, at::ScalarType type) {
  at::autocast::set_autocast_dtype(device, type);
}

#else

bool is_enabled(at::DeviceType device) {
  return device == at::kCUDA ? at::autocast::is_enabled() : at::autocast::is_cpu_enabled();
}
void set_enabled(at::DeviceType device, bool on) {
  device == at::kCUDA ? at::autocast::set_enabled(on) : at::autocast::set_cpu_enabled(on);
}
at::ScalarType type_in_use(at::DeviceType device) {
  return device == at::kCUDA ? at::autocast::get_autocast_gpu_dtype() : at::autocast::get_autocast_cpu_dtype();
}
void set_type(at::DeviceType device, at::ScalarType type) {
  device == at::kCUDA ? at::autocast::set_autocast_gpu_dtype(type) : at::autocast::set_autocast_cpu_dtype(type);
}

#endif

} // namespace

autocast_guard::autocast_guard(at::DeviceType device, bool enabled)
  : device_(device), was_enabled_(is_enabled(device)), previous_type_(type_in_use(device)) {
  set_enabled(device_, enabled);
  if (enabled)
    set_type(device_, at::kBFloat16);
  at::autocast::increment_nesting();
}

autocast_guard::~autocast_guard() {
  if (at::autocast::decrement_nesting() == 0)
    at::autocast::clear_cache();
  set_type(device_, previous_type_);
  set_enabled(device_, was_enabled_);
}

} // namespace troupe
