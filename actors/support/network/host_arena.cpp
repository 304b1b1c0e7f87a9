#include "actors/support/network/host_arena.hpp"

#include "actors/support/network/host_memory.hpp"

namespace troupe {

std::shared_ptr<std::byte> host_arena::take(std::size_t num_bytes) {
  auto found = by_size_.find(num_bytes);
  if (found == by_size_.end()) {
    auto make = [num_bytes, page_locked = page_locked_] { return allocate_host_memory(num_bytes, page_locked); };
    found = by_size_.emplace(num_bytes, recycler<block>(std::move(make))).first;
  }
  auto lent = found->second.take();
  auto* const data = lent->get();
  return {std::move(lent), data};
}

} // namespace troupe
