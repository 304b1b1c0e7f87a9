/// Host memory for batches and snapshots, aligned and, for a GPU, page-locked. Knows no LibTorch.
#pragma once

#include <cstddef>
#include <memory>

namespace troupe {

/// `num_bytes` of uninitialised memory, aligned to 64 bytes; page-locked where asked for, so that a GPU copies it
/// asynchronously. May be freed by any thread. Throws what the allocator throws when there is no memory.
[[nodiscard]] std::shared_ptr<std::byte> allocate_host_memory(std::size_t num_bytes, bool page_locked);

} // namespace troupe
