#include "actors/glue/trace_stats.hpp"

#include <algorithm>

namespace troupe {

namespace {

constexpr std::uint64_t overflow_key = 1;

void add(std::atomic<std::uint64_t>& to, std::uint64_t amount) noexcept {
  to.store(to.load(std::memory_order_relaxed) + amount, std::memory_order_relaxed);
}

void add(shared_histogram& to, std::int64_t from_ns, std::int64_t until_ns) noexcept {
  const auto ns = static_cast<std::uint64_t>(std::max<std::int64_t>(until_ns - from_ns, 0));
  add(to.sum_ns, ns);
  add(to.buckets[time_bucket(ns)], 1);
  if (ns > to.max_ns.load(std::memory_order_relaxed))
    to.max_ns.store(ns, std::memory_order_relaxed);
}

void merge(time_histogram& to, const shared_histogram& from) noexcept {
  to.sum_ns += from.sum_ns.load(std::memory_order_relaxed);
  to.max_ns = std::max(to.max_ns, from.max_ns.load(std::memory_order_relaxed));
  for (std::size_t i = 0; i < to.buckets.size(); ++i)
    to.buckets[i] += from.buckets[i].load(std::memory_order_relaxed);
}

/// The first time of two, where 0 is none.
std::int64_t earlier(std::int64_t a, std::int64_t b) noexcept {
  return a == 0 || (b != 0 && b < a) ? b : a;
}

bool is_counted(trace_kind kind) noexcept {
  return kind != trace_kind::link && kind != trace_kind::spawn && kind != trace_kind::exit;
}

stats_key key_of(const trace_record& record) noexcept {
  return {record.kind, record.receiver, record.name, record.kind == trace_kind::message ? record.sender : 0};
}

} // namespace

std::uint64_t message_stats::count() const noexcept {
  std::uint64_t total = 0;
  for (auto each : outcomes)
    total += each;
  return total;
}

void message_stats::merge(const message_stats& other) noexcept {
  for (std::size_t i = 0; i < outcomes.size(); ++i)
    outcomes[i] += other.outcomes[i];
  bytes += other.bytes;
  first_ns = earlier(first_ns, other.first_ns);
  last_ns = std::max(last_ns, other.last_ns);
  wait.merge(other.wait);
  handling.merge(other.handling);
}

void trace_stats::count(const trace_record& record) noexcept {
  if (!is_counted(record.kind))
    return;
  auto& row = row_for(1 + pack(key_of(record)));
  if (row.first_ns.load(std::memory_order_relaxed) == 0)
    row.first_ns.store(record.dequeued_ns != 0 ? record.dequeued_ns : record.enqueued_ns, std::memory_order_relaxed);
  const auto last_ns = std::max(record.ended_ns, record.enqueued_ns);
  if (last_ns > row.last_ns.load(std::memory_order_relaxed))
    row.last_ns.store(last_ns, std::memory_order_relaxed);
  add(row.outcomes[static_cast<std::size_t>(record.outcome)], 1);
  add(row.bytes, record.bytes);
  if (record.dequeued_ns != 0)
    add(row.wait, record.enqueued_ns, record.dequeued_ns);
  if (record.ended_ns != 0)
    add(row.handling, record.dequeued_ns, record.ended_ns);
}

void trace_stats::merge_into(stats_map& out) const {
  for (std::size_t i = 0; i < max_stats_rows; ++i) {
    const auto& row = rows_[i];
    const auto key = row.key.load(std::memory_order_acquire);
    if (key == 0)
      continue;
    auto& stats = out[unpack(key - 1)];
    for (std::size_t j = 0; j < num_trace_outcomes; ++j)
      stats.outcomes[j] += row.outcomes[j].load(std::memory_order_relaxed);
    stats.bytes += row.bytes.load(std::memory_order_relaxed);
    stats.first_ns = earlier(stats.first_ns, row.first_ns.load(std::memory_order_relaxed));
    stats.last_ns = std::max(stats.last_ns, row.last_ns.load(std::memory_order_relaxed));
    merge(stats.wait, row.wait);
    merge(stats.handling, row.handling);
  }
}

stats_row& trace_stats::row_for(std::uint64_t key) noexcept {
  constexpr auto num_shared = max_stats_rows - 1; // The last row is the overflow's.
  const auto start = (key * 0x9e3779b97f4a7c15) >> 32;
  for (std::size_t probe = 0; probe < num_shared; ++probe) {
    auto& row = rows_[(start + probe) % num_shared];
    const auto found = row.key.load(std::memory_order_relaxed);
    if (found == key)
      return row;
    if (found == 0) {
      row.key.store(key, std::memory_order_release);
      return row;
    }
  }
  auto& overflow = rows_[num_shared];
  overflow.key.store(overflow_key, std::memory_order_release);
  return overflow;
}

} // namespace troupe
