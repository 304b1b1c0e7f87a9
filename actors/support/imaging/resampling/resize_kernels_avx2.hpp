/// Kernels for the 256-bit integer instructions of x86-64.
#pragma once

#include "actors/support/imaging/resampling/resize_kernels.hpp"

namespace troupe {

/// Those for 8 bits per channel; null where the machine or the compiler has no such instructions.
[[nodiscard]] const resize_kernels* avx2_kernels() noexcept;

} // namespace troupe
