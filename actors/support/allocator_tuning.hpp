/// Tells the C library to keep memory that training frees and needs again a moment later.
#pragma once

namespace troupe {

/// Raises glibc's thresholds for giving memory back to the kernel. Call it first in `main`, before any thread starts;
/// returns false where the C library has no such settings. The settings stay for the life of the process.
bool keep_freed_memory() noexcept;

} // namespace troupe
