#include "actors/support/allocator_tuning.hpp"

#include <cstdlib>

#if defined(__GLIBC__)
#include <malloc.h>
#endif

namespace troupe {

bool keep_freed_memory() noexcept {
#if defined(__GLIBC__)
  constexpr int mib = 1 << 20;
  // mallopt takes an int; a trim threshold of 16 GiB has to be said as the largest that fits.
  return mallopt(M_MMAP_THRESHOLD, 1024 * mib) == 1 && mallopt(M_TRIM_THRESHOLD, 0x7fffffff) == 1
         && mallopt(M_TOP_PAD, 64 * mib) == 1;
#else
  return false;
#endif
}

} // namespace troupe
