/// Mixed precision for the time of a scope.
#pragma once

#include <c10/core/Device.h>
#include <c10/core/ScalarType.h>

namespace troupe {

/// While it lives, eligible operations of the calling thread on devices of that type compute in bf16 if `enabled`.
/// Scopes nest; the outermost one drops the casts of the weights that were kept, so that none outlives a step.
class autocast_guard {
public:
  autocast_guard(at::DeviceType device, bool enabled);
  ~autocast_guard();
  autocast_guard(const autocast_guard&) = delete;
  autocast_guard& operator=(const autocast_guard&) = delete;

private:
  at::DeviceType device_;
  bool was_enabled_;
  at::ScalarType previous_type_;
};

} // namespace troupe
