/// What a message is about, for the trace: pure numbers, so that a sample can be followed into a checkpoint.
#pragma once

#include "messages/batch_ref.hpp"
#include "messages/checkpoint.hpp"
#include "messages/metric.hpp"
#include "messages/sample.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <limits>

namespace troupe {

/// "This message is not about any."
inline constexpr std::uint64_t no_id = std::numeric_limits<std::uint64_t>::max();

/// The ids that a message carries. A payload type tells its own by `trace_ids ids_of(const T&)` in its namespace.
struct trace_ids {
  std::uint64_t sample = no_id;  ///< Index in the data set.
  std::uint64_t batch = no_id;   ///< `batch_ref::id`
  std::uint64_t step = no_id;    ///< Optimizer steps done.
  std::uint64_t version = no_id; ///< `snapshot_tag::version`
  std::uint64_t bytes = 0;       ///< Bulk data handed over, without the message itself.
  friend bool operator==(const trace_ids&, const trace_ids&) = default;
};

[[nodiscard]] inline trace_ids ids_of(const batch_ref& x) {
  return {.batch = x.id};
}

[[nodiscard]] inline trace_ids ids_of(const encoded_sample& x) {
  return {.sample = x.id, .bytes = x.bytes.size()};
}

/// A chunk is named by its batch and its first sample.
[[nodiscard]] inline trace_ids ids_of(const encoded_chunk& x) {
  trace_ids ids{.batch = x.batch};
  if (!x.samples.empty())
    ids.sample = x.samples.front().id;
  for (const auto& sample : x.samples)
    ids.bytes += sample.bytes.size();
  return ids;
}

[[nodiscard]] inline trace_ids ids_of(const chunk_ptr& x) {
  return x ? ids_of(*x) : trace_ids{};
}

[[nodiscard]] inline trace_ids ids_of(const snapshot_tag& x) {
  return {.step = x.step, .version = x.version};
}

[[nodiscard]] inline trace_ids ids_of(const snapshot_ptr& x) {
  return x ? ids_of(x->tag) : trace_ids{};
}

[[nodiscard]] inline trace_ids ids_of(const step_completed& x) {
  return {.batch = x.first_batch, .step = x.step};
}

[[nodiscard]] inline trace_ids ids_of(const validation_report& x) {
  return ids_of(x.snapshot);
}

[[nodiscard]] inline trace_ids ids_of(const checkpoint_saved& x) {
  auto ids = ids_of(x.tag);
  ids.bytes = x.num_bytes;
  return ids;
}

[[nodiscard]] inline trace_ids ids_of(const checkpoint_failed& x) {
  return ids_of(x.tag);
}

} // namespace troupe
