/// Exact counts and time histograms per sender, receiver and message type: one table per thread, merged by whoever reads.
#pragma once

#include "actors/glue/trace_histogram.hpp"
#include "actors/glue/trace_record.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

namespace troupe {

/// Places of one table; what finds no place any more is counted together, under number 0 of all names.
inline constexpr std::size_t max_stats_rows = 512;

/// A histogram as one thread fills it. Atomics, because a reader looks at the numbers while they grow; there is one
/// writer, so that a plain load and store count.
struct shared_histogram {
  std::atomic<std::uint64_t> sum_ns;
  std::atomic<std::uint64_t> max_ns;
  std::array<std::atomic<std::uint64_t>, num_time_buckets> buckets;
};

/// One row of a thread's table; same rules.
struct stats_row {
  std::atomic<std::uint64_t> key; ///< 1 + `pack(stats_key)`, 0: free.
  std::atomic<std::int64_t> first_ns;
  std::atomic<std::int64_t> last_ns;
  std::array<std::atomic<std::uint64_t>, num_trace_outcomes> outcomes;
  std::atomic<std::uint64_t> bytes;
  shared_histogram wait;
  shared_histogram handling;
};

/// What is known of one message type from one actor to another, or of one kind of span, mark, value or sample.
struct message_stats {
  std::array<std::uint64_t, num_trace_outcomes> outcomes{}; ///< Number of messages by `trace_outcome`.
  std::uint64_t bytes = 0;
  std::int64_t first_ns = 0; ///< When the first one was taken up (or sent, if it never was), CLOCK_MONOTONIC; 0: none.
  std::int64_t last_ns = 0;  ///< When the last one was done with.
  time_histogram wait;       ///< From enqueue to dequeue, of the messages that were taken up.
  time_histogram handling;   ///< From dequeue to the handler's end.

  [[nodiscard]] std::uint64_t count() const noexcept;
  void merge(const message_stats& other) noexcept;
};

/// Numbers of the names of the actors and of the message type. What is no message has no sender.
struct stats_key {
  trace_kind kind = trace_kind::message;
  std::uint32_t receiver = 0;
  std::uint32_t type = 0;
  std::uint32_t sender = 0; ///< 0 for anonymous messages too.
  friend auto operator<=>(const stats_key&, const stats_key&) = default;
};

[[nodiscard]] constexpr std::uint64_t pack(const stats_key& key) noexcept {
  return std::uint64_t{static_cast<std::uint8_t>(key.kind)} << 48 | (key.sender & 0xffffULL) << 32
         | (key.receiver & 0xffffULL) << 16 | (key.type & 0xffffULL);
}

[[nodiscard]] constexpr stats_key unpack(std::uint64_t packed) noexcept {
  const auto part = [packed](int shift) { return static_cast<std::uint32_t>(packed >> shift & 0xffff); };
  return {static_cast<trace_kind>(part(48)), part(16), part(0), part(32)};
}

using stats_map = std::map<stats_key, message_stats>;

/// A view of a thread's table. Zeroed memory is an empty table.
class trace_stats {
public:
  trace_stats() = default;
  explicit trace_stats(stats_row* rows) noexcept : rows_(rows) {}

  /// Counts a record, unless it is a link, spawn or exit. One thread at a time. Never blocks.
  void count(const trace_record& record) noexcept;

  /// Adds the table's numbers to `out`. Any thread.
  void merge_into(stats_map& out) const;

private:
  stats_row& row_for(std::uint64_t key) noexcept;

  stats_row* rows_ = nullptr;
};

} // namespace troupe
