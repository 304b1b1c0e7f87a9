/// One line of the trace, as the rings and the trace file hold it.
#pragma once

#include "messages/trace_ids.hpp"

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

namespace troupe {

enum class trace_kind : std::uint8_t {
  message, ///< A message and what became of it.
  link,    ///< `cause` is one more parent of the message `message`: what a batch was made of.
  mark,    ///< An event with a name, raised while `message` was being handled.
  spawn,   ///< Actor `receiver` got its name; `bytes` is its CAF id.
  exit,    ///< Actor `receiver` ended; `name` is the reason, `bytes` its CAF id.
  span,    ///< What `receiver` did from `dequeued_ns` to `ended_ns` that is no message: waited, for example.
  value,   ///< A number that was measured: see `recorded_value`.
  sample,  ///< A sample that was made: see `recorded_sample`.
};
inline constexpr std::size_t num_trace_kinds = 8;

/// What became of a message.
enum class trace_outcome : std::uint8_t {
  handled,       ///< The handler returned.
  dropped,       ///< CAF threw it away without a handler, e.g. a response that came after its time-out.
  threw,         ///< An exception left the handler.
  skipped,       ///< The actor put it aside and ended before it took it up.
  never_handled, ///< The actor ended with it in the mailbox, or before it was sent.
};
inline constexpr std::size_t num_trace_outcomes = 5;

[[nodiscard]] constexpr const char* to_string(trace_outcome outcome) noexcept {
  constexpr std::array names = {"handled", "dropped", "threw", "skipped", "never_handled"};
  const auto index = static_cast<std::size_t>(outcome);
  return index < names.size() ? names[index] : "unknown";
}

/// Set in `trace_record::flags`.
enum trace_flag : std::uint8_t { trace_request = 1, trace_response = 2, trace_urgent = 4 };

/// Message ids are unique over the threads of a process; with the process's nonce (see the file's header) for ever.
/// 0 stands for "none". Names are ids of the string table. Times are nanoseconds of CLOCK_MONOTONIC, 0 if it never
/// came to that.
struct trace_record {
  std::uint64_t message = 0;
  std::uint64_t cause = 0;      ///< Message that was being handled when this one was sent.
  std::uint64_t root = 0;       ///< First message of the chain of causes.
  std::int64_t enqueued_ns = 0; ///< Events: the time of the event.
  std::int64_t dequeued_ns = 0;
  std::int64_t ended_ns = 0;
  std::uint64_t sample = no_id;
  std::uint64_t batch = no_id;
  std::uint64_t step = no_id;
  std::uint64_t version = no_id;
  std::uint64_t bytes = 0;
  std::uint32_t sender = 0;
  std::uint32_t receiver = 0;
  std::uint32_t name = 0; ///< Message type, name of the mark or reason of the exit.
  trace_kind kind = trace_kind::message;
  trace_outcome outcome = trace_outcome::handled;
  std::uint8_t flags = 0;
  std::uint8_t reserved = 0;
  friend bool operator==(const trace_record&, const trace_record&) = default;
};

static_assert(std::is_trivially_copyable_v<trace_record> && sizeof(trace_record) == 104);
static_assert(std::endian::native == std::endian::little, "the trace formats are little-endian memory images");

/// Puts the ids of `from` into a record.
inline void put_ids(trace_record& to, const trace_ids& from) noexcept {
  to.sample = from.sample;
  to.batch = from.batch;
  to.step = from.step;
  to.version = from.version;
  to.bytes = from.bytes;
}

/// A number with a name, e.g. the loss of a step; `cause` carries its bits.
[[nodiscard]] constexpr double recorded_value(const trace_record& record) noexcept {
  return std::bit_cast<double>(record.cause);
}

/// A sample as an augmenter made it, for one slot of a batch. Its record keeps the hash in `cause`, the epoch in `step`,
/// the slot in `version` and the encoded bytes in `bytes`; `outcome` is `threw` for a bad one.
struct recorded_sample {
  std::uint64_t sample = 0;     ///< Index in the data set.
  std::uint64_t batch = 0;      ///< `batch_ref::id`
  std::uint64_t epoch = 0;      ///< 0-based; part of the key of the sample's randomness.
  std::uint64_t slot = 0;       ///< In the batch, before gaps are closed.
  std::uint64_t pixel_hash = 0; ///< Of the pixels before they were normalized; 0: bad.
  std::uint64_t bytes = 0;      ///< Encoded.
  std::int64_t begun_ns = 0;
  std::int64_t ended_ns = 0;
  bool bad = false;
  friend bool operator==(const recorded_sample&, const recorded_sample&) = default;
};

[[nodiscard]] inline trace_record to_record(const recorded_sample& from) noexcept {
  trace_record record{.cause = from.pixel_hash,
                      .enqueued_ns = from.begun_ns,
                      .dequeued_ns = from.begun_ns,
                      .ended_ns = from.ended_ns,
                      .sample = from.sample,
                      .batch = from.batch,
                      .step = from.epoch,
                      .version = from.slot,
                      .bytes = from.bytes};
  record.kind = trace_kind::sample;
  record.outcome = from.bad ? trace_outcome::threw : trace_outcome::handled;
  return record;
}

/// @pre record.kind is `sample`
[[nodiscard]] inline recorded_sample to_sample(const trace_record& record) noexcept {
  return {record.sample,      record.batch,    record.step,
          record.version,     record.cause,    record.bytes,
          record.dequeued_ns, record.ended_ns, record.outcome == trace_outcome::threw};
}

} // namespace troupe
