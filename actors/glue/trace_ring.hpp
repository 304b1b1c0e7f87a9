/// A ring of trace records in memory that the caller provides: one writing thread, any number of readers, no lock.
#pragma once

#include "actors/glue/trace_record.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

namespace troupe {

/// What a ring does when it is full: overwrite the oldest record, or drop the new one and count it.
enum class ring_policy : std::uint8_t { keep_newest, keep_all };

/// Head of a ring. Atomics, because writer and reader are different threads, or processes, that never wait for each
/// other; each on a cache line of its own, so that they do not slow each other down.
struct ring_header {
  alignas(64) std::atomic<std::uint64_t> head; ///< Records written since the start. Writer's.
  std::atomic<std::uint64_t> dropped;          ///< Records that found no room. Writer's.
  alignas(64) std::atomic<std::uint64_t> tail; ///< Records that the drain has safely stored. Reader's.
};

/// One place of a ring. `sequence` is 2 * (position + 1) when the record of that position is complete and odd while it
/// is being written, so that a reader notices a torn or overwritten record (a sequence lock, Boehm 2012). The words are
/// atomics because a reader may look while the writer overwrites.
struct ring_cell {
  std::atomic<std::uint64_t> sequence;
  std::array<std::atomic<std::uint64_t>, sizeof(trace_record) / 8> words;
};

static_assert(std::atomic<std::uint64_t>::is_always_lock_free && std::atomic<std::uint32_t>::is_always_lock_free,
              "atomics in shared memory must not hide a lock");

/// A view of a ring. Zeroed memory is an empty ring.
class trace_ring {
public:
  trace_ring() = default;
  /// @param capacity Number of cells, a power of two.
  trace_ring(ring_header* header, ring_cell* cells, std::size_t capacity) noexcept
    : header_(header), cells_(cells), capacity_(capacity) {}

  /// Writes one record; false if it was dropped. One thread at a time. Never blocks.
  bool push(const trace_record& record, ring_policy policy) noexcept;

  /// Appends the complete records of the positions from `from` to `until` - 1, as far as there are any, and returns the
  /// position after the last. Records that the writer has overwritten meanwhile, or that a killed writer left unfinished,
  /// are left out.
  std::uint64_t read(std::uint64_t from, std::vector<trace_record>& out,
                     std::uint64_t until = std::numeric_limits<std::uint64_t>::max()) const;

  /// Frees the places before `position` for the writer. One thread at a time.
  void release_until(std::uint64_t position) noexcept { header_->tail.store(position, std::memory_order_release); }

  [[nodiscard]] std::uint64_t head() const noexcept { return header_->head.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t tail() const noexcept { return header_->tail.load(std::memory_order_acquire); }
  [[nodiscard]] std::uint64_t dropped() const noexcept { return header_->dropped.load(std::memory_order_relaxed); }

private:
  ring_header* header_ = nullptr;
  ring_cell* cells_ = nullptr;
  std::size_t capacity_ = 0;
};

} // namespace troupe
