/// The process's trace recorder: where the hooks of all actors, plugins' too, put what they see. No lock, no waiting.
#pragma once

#include "actors/glue/trace_map.hpp"
#include "messages/trace_ids.hpp"

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The message that a thread is handling right now; all zero if none.
struct trace_context {
  std::uint64_t message = 0;
  std::uint64_t root = 0;
  std::uint64_t actor = 0; ///< CAF id of the actor that handles it.
  std::uint32_t name = 0;  ///< The actor's name.
  std::size_t place = 0;   ///< Of the actor, among the traced ones; 0: none of its own.
};

/// An actor that is in the middle of a message, for stall reports.
struct in_progress_entry {
  std::string actor;
  std::string message_type;
  std::uint64_t message = 0;
  trace_ids ids;
  std::int64_t since_ns = 0;       ///< CLOCK_MONOTONIC when the message was taken up.
  std::uint64_t mailbox_depth = 0; ///< Messages that wait behind it.
};

/// What the rings took and what they lost.
struct trace_totals {
  std::uint64_t recorded = 0;
  std::uint64_t dropped = 0; ///< No room (`ring_policy::keep_all`), or no ring for the thread.
};

/// Owns the trace of a process. It must outlive every actor system whose actors are to be traced.
class trace_recorder {
public:
  struct options {
    std::string folder; ///< Where `rings-<nonce>.bin` goes; empty: plain memory.
    ring_policy policy = ring_policy::keep_newest;
    std::size_t num_rings = 64;
    std::size_t ring_capacity = 16384;
  };

  /// Starts to record what actors spawned from now on do. Fails if a recorder is active.
  static expected<std::unique_ptr<trace_recorder>> start(const options& options);

  /// The active recorder; nullptr: tracing is off.
  [[nodiscard]] static trace_recorder* active() noexcept { return active_.load(std::memory_order_acquire); }

  trace_recorder(const trace_recorder&) = delete;
  trace_recorder& operator=(const trace_recorder&) = delete;
  ~trace_recorder();

  /// Ends the recording; what was recorded stays readable.
  void stop() noexcept;

  [[nodiscard]] trace_map& map() const noexcept { return *map_; }
  [[nodiscard]] trace_totals totals() const noexcept;

  /// Deletes the mapping's file; the memory stays.
  void remove_file() noexcept;

  /// Puts a record into the calling thread's ring, and counts it.
  void put(const trace_record& record) noexcept;

  /// A new message id.
  [[nodiscard]] std::uint64_t next_message_id() noexcept;

  /// A place for the actor with CAF id `actor`; place 0, shared, if all are taken.
  [[nodiscard]] std::size_t claim_actor(std::uint64_t actor) noexcept;
  /// The name of the living actor with this CAF id; 0 if it is not traced.
  [[nodiscard]] std::uint32_t name_of(std::uint64_t actor) noexcept;

private:
  explicit trace_recorder(std::shared_ptr<trace_map> map) noexcept : map_(std::move(map)) {}

  // Atomic, because every thread asks whether to record, and none may wait for the answer.
  static std::atomic<trace_recorder*> active_;

  std::shared_ptr<trace_map> map_;
  // Atomic, because threads that run out of ids, or spawn, fetch their next ones here.
  std::atomic<std::uint64_t> next_block_{1};
  std::atomic<std::size_t> next_place_{1};
  std::atomic<std::size_t> num_places_{1};
};

/// CLOCK_MONOTONIC in nanoseconds, the clock of all records.
[[nodiscard]] std::int64_t trace_now_ns() noexcept;

/// The message that the calling thread is handling.
[[nodiscard]] trace_context current_message() noexcept;
/// Sets it and returns what it was.
trace_context exchange_current_message(const trace_context& context) noexcept;

/// What all actors are doing right now, idle ones left out. Of this process's recorder, or of any mapping.
[[nodiscard]] std::vector<in_progress_entry> in_progress();
[[nodiscard]] std::vector<in_progress_entry> in_progress(const trace_map& map);

} // namespace troupe
