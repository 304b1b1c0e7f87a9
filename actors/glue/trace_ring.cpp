#include "actors/glue/trace_ring.hpp"

#include <algorithm>
#include <bit>

namespace troupe {

namespace {

using record_words = std::array<std::uint64_t, sizeof(trace_record) / 8>;

constexpr std::uint64_t complete(std::uint64_t position) noexcept {
  return 2 * (position + 1);
}

/// Copies a cell's record if it is the complete one of `position`.
bool load(const ring_cell& cell, std::uint64_t position, trace_record& out) noexcept {
  if (cell.sequence.load(std::memory_order_acquire) != complete(position))
    return false;
  record_words words;
  for (std::size_t i = 0; i < words.size(); ++i)
    words[i] = cell.words[i].load(std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_acquire);
  if (cell.sequence.load(std::memory_order_relaxed) != complete(position))
    return false;
  out = std::bit_cast<trace_record>(words);
  return true;
}

} // namespace

bool trace_ring::push(const trace_record& record, ring_policy policy) noexcept {
  const auto position = header_->head.load(std::memory_order_relaxed);
  if (policy == ring_policy::keep_all && position - tail() >= capacity_) {
    header_->dropped.store(dropped() + 1, std::memory_order_relaxed);
    return false;
  }
  const auto words = std::bit_cast<record_words>(record);
  auto& cell = cells_[position & (capacity_ - 1)];
  cell.sequence.store(complete(position) - 1, std::memory_order_relaxed);
  std::atomic_thread_fence(std::memory_order_release);
  for (std::size_t i = 0; i < words.size(); ++i)
    cell.words[i].store(words[i], std::memory_order_relaxed);
  cell.sequence.store(complete(position), std::memory_order_release);
  header_->head.store(position + 1, std::memory_order_release);
  return true;
}

std::uint64_t trace_ring::read(std::uint64_t from, std::vector<trace_record>& out, std::uint64_t until) const {
  const auto newest = head();
  const auto end = std::min(newest, until);
  auto position = std::max(from, newest > capacity_ ? newest - capacity_ : 0);
  trace_record record;
  for (; position < end; ++position)
    if (load(cells_[position & (capacity_ - 1)], position, record))
      out.push_back(record);
  return std::max(from, end);
}

} // namespace troupe
