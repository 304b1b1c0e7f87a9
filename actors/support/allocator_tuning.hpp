/// Tells the C library to keep memory that training frees and needs again a moment later.
#pragma once

namespace troupe {

/// Raises glibc's thresholds for giving memory back to the kernel: a training step frees and needs again the same large
/// blocks, and each return costs page faults. One thread training LeNet (batch 128, fp32, glibc 2.36) does 1.24 times
/// as many samples per CPU second with it (median of three interleaved pairs of `tests/bench/train_step.cpp`). Call it
/// first in `main`, before any thread starts; returns false where the C library has no such settings. The settings stay
/// for the life of the process.
bool keep_freed_memory() noexcept;

} // namespace troupe
