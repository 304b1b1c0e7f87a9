#include "actors/support/components/guarded_block.hpp"

#include <algorithm>
#include <cstdint>

#ifdef __SANITIZE_ADDRESS__
#include <sanitizer/asan_interface.h>
#else
#define ASAN_POISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#define ASAN_UNPOISON_MEMORY_REGION(address, size) (static_cast<void>(address), static_cast<void>(size))
#endif

namespace troupe {

namespace {

constexpr std::size_t margin = 4096;
constexpr std::size_t alignment = 64;
constexpr std::byte filler{0xA5};

} // namespace

guarded_block::guarded_block(std::size_t num_bytes)
  : num_bytes_(num_bytes), memory_(num_bytes + 2 * margin + alignment, filler) {
  std::fill_n(data(), num_bytes_, std::byte{0});
  ASAN_POISON_MEMORY_REGION(memory_.data(), offset());
  ASAN_POISON_MEMORY_REGION(data() + num_bytes_, memory_.size() - offset() - num_bytes_);
}

guarded_block::~guarded_block() {
  ASAN_UNPOISON_MEMORY_REGION(memory_.data(), memory_.size());
}

std::size_t guarded_block::offset() const noexcept {
  const auto first = reinterpret_cast<std::uintptr_t>(memory_.data()) + margin;
  return margin + (alignment - first % alignment) % alignment;
}

std::byte* guarded_block::data() noexcept {
  return memory_.data() + offset();
}

bool guarded_block::intact() const noexcept {
#ifdef __SANITIZE_ADDRESS__
  return true; // Else the process would have ended.
#else
  const auto is_filler = [](std::byte x) { return x == filler; };
  const auto first = memory_.begin();
  const auto begin = first + static_cast<std::ptrdiff_t>(offset());
  const auto end = begin + static_cast<std::ptrdiff_t>(num_bytes_);
  return std::all_of(first, begin, is_filler) && std::all_of(end, memory_.end(), is_filler);
#endif
}

} // namespace troupe
