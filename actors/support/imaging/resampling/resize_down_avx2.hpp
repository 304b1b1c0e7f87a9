/// From rows to one row, in 256-bit integer instructions of x86-64.
#pragma once

#include "actors/support/imaging/resampling/resize_kernels.hpp"

namespace troupe {

/// See `resize_kernels::down`, for 8 bits per channel. @pre the machine has AVX2
void down_avx2(const row_stack& rows, const resize_axis& axis, int output, unsigned char* to);

} // namespace troupe
