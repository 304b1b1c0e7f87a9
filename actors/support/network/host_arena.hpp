/// Recycled host memory for copies of a model.
#pragma once

#include "messages/recycler.hpp"

#include <cstddef>
#include <map>
#include <memory>

namespace troupe {

/// Lends blocks of host memory. A block comes back when its last holder lets go of it, on any thread, and is lent again
/// for the same size. Owner: one thread, which alone calls `take`; blocks may outlive the arena.
class host_arena {
public:
  explicit host_arena(bool page_locked) : page_locked_(page_locked) {}

  /// A block of `num_bytes`, aligned to 64 bytes, with whatever it held before.
  [[nodiscard]] std::shared_ptr<std::byte> take(std::size_t num_bytes);

private:
  using block = std::shared_ptr<std::byte>;

  bool page_locked_;
  std::map<std::size_t, recycler<block>> by_size_;
};

} // namespace troupe
