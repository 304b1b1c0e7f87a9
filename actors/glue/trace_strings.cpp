#include "actors/glue/trace_strings.hpp"

#include <algorithm>
#include <cstring>

namespace troupe {

namespace {

/// FNV-1a, 64 bit (Fowler, Noll, Vo), then MurmurHash3's finalizer; never 0.
std::uint64_t hash_of(std::string_view text) noexcept {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (unsigned char c : text)
    hash = (hash ^ c) * 0x100000001b3;
  hash = (hash ^ (hash >> 33)) * 0xff51afd7ed558ccd;
  hash = (hash ^ (hash >> 33)) * 0xc4ceb9fe1a85ec53;
  return (hash ^ (hash >> 33)) | 1;
}

} // namespace

std::uint32_t trace_strings::intern(std::string_view text) noexcept {
  text = text.substr(0, max_trace_string_bytes);
  if (text.empty())
    text = "?";
  const auto hash = hash_of(text);
  for (std::size_t probe = 0; probe < max_trace_strings; ++probe) {
    const auto index = (hash + probe) % max_trace_strings;
    if (index == 0)
      continue;
    auto& cell = cells_[index];
    std::uint64_t found = 0;
    if (cell.hash.compare_exchange_strong(found, hash, std::memory_order_acq_rel)) {
      std::memcpy(cell.text.data(), text.data(), text.size());
      cell.length.store(static_cast<std::uint32_t>(text.size()), std::memory_order_release);
      cells_[0].hash.fetch_add(1, std::memory_order_release);
      return static_cast<std::uint32_t>(index);
    }
    if (found == hash)
      return static_cast<std::uint32_t>(index);
  }
  return 0;
}

std::uint64_t trace_strings::size() const noexcept {
  return cells_[0].hash.load(std::memory_order_acquire);
}

std::string trace_strings::text(std::uint32_t number) const {
  if (number == 0 || number >= max_trace_strings)
    return {};
  const auto& cell = cells_[number];
  const auto length = cell.length.load(std::memory_order_acquire);
  return std::string(cell.text.data(), std::min<std::size_t>(length, max_trace_string_bytes));
}

} // namespace troupe
