/// Exact counts and time histograms per actor and message type: one table per thread, merged by whoever reads.
#pragma once

#include "actors/glue/trace_histogram.hpp"
#include "actors/glue/trace_record.hpp"

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <map>

namespace troupe {

/// Places of one table; the pairs that find no place any more are counted together, under number 0 of both names.
inline constexpr std::size_t max_stats_rows = 256;

/// A histogram as one thread fills it. Atomics, because a reader looks at the numbers while they grow; there is one
/// writer, so that a plain load and store count.
struct shared_histogram {
  std::atomic<std::uint64_t> sum_ns;
  std::atomic<std::uint64_t> max_ns;
  std::array<std::atomic<std::uint64_t>, num_time_buckets> buckets;
};

/// One row of a thread's table; same rules.
struct stats_row {
  std::atomic<std::uint64_t> key; ///< 1 + (receiver << 32 | type), 0: free.
  std::array<std::atomic<std::uint64_t>, num_trace_outcomes> outcomes;
  std::atomic<std::uint64_t> bytes;
  shared_histogram wait;
  shared_histogram handling;
};

/// What is known of one message type at one actor.
struct message_stats {
  std::array<std::uint64_t, num_trace_outcomes> outcomes{}; ///< Number of messages by `trace_outcome`.
  std::uint64_t bytes = 0;
  time_histogram wait;     ///< From enqueue to dequeue, of the messages that were taken up.
  time_histogram handling; ///< From dequeue to the handler's end.

  [[nodiscard]] std::uint64_t count() const noexcept;
  void merge(const message_stats& other) noexcept;
};

/// Numbers of the names of the receiving actor and of the message type.
struct stats_key {
  std::uint32_t receiver = 0;
  std::uint32_t type = 0;
  friend auto operator<=>(const stats_key&, const stats_key&) = default;
};

using stats_map = std::map<stats_key, message_stats>;

/// A view of a thread's table. Zeroed memory is an empty table.
class trace_stats {
public:
  trace_stats() = default;
  explicit trace_stats(stats_row* rows) noexcept : rows_(rows) {}

  /// Counts a record of kind `message`. One thread at a time. Never blocks.
  void count(const trace_record& record) noexcept;

  /// Adds the table's numbers to `out`. Any thread.
  void merge_into(stats_map& out) const;

private:
  stats_row& row_for(std::uint64_t key) noexcept;

  stats_row* rows_ = nullptr;
};

} // namespace troupe
