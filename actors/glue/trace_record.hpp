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
};

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

} // namespace troupe
