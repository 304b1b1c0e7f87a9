#include "actors/support/network/host_memory.hpp"

#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <new>

namespace troupe {

namespace {

constexpr std::align_val_t alignment{64};

std::shared_ptr<std::byte> allocate_page_locked(std::size_t num_bytes) {
  auto tensor = std::make_shared<at::Tensor>(
    at::empty({static_cast<std::int64_t>(num_bytes)}, at::dtype(at::kByte).pinned_memory(true)));
  auto* data = static_cast<std::byte*>(tensor->data_ptr());
  return {std::move(tensor), data};
}

} // namespace

std::shared_ptr<std::byte> allocate_host_memory(std::size_t num_bytes, bool page_locked) {
  num_bytes = std::max<std::size_t>(num_bytes, 1);
  if (page_locked)
    return allocate_page_locked(num_bytes);
  return {static_cast<std::byte*>(::operator new(num_bytes, alignment)),
          [](std::byte* data) { ::operator delete(data, alignment); }};
}

} // namespace troupe
