/// A trace as pictures of it show it: slices, instants and counters on tracks, and arrows between slices. Every actor has
/// a track for what it handles, one for the messages that wait for it, one for each kind of span, and its counters.
#pragma once

#include "app/trace_tools/export/record_selection.hpp"

#include <array>
#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

enum class event_kind : std::uint8_t {
  handling,  ///< Slice: a message from dequeue to the end of its handler.
  sample,    ///< Slice, within the message that it belongs to.
  span,      ///< Slice
  wait,      ///< Slice: a message from enqueue to dequeue.
  mark,      ///< Instant; starts and ends of actors, and numbers that are not finite, too.
  unhandled, ///< Instant: a message that was never handled, when it was sent.
  depth,     ///< Counter: messages that wait for the actor.
  value,     ///< Counter
};

/// Their names, as the files have them.
inline constexpr std::array<std::string_view, 8> event_categories = {"message", "sample",    "span",  "queue",
                                                                     "mark",    "unhandled", "depth", "value"};

[[nodiscard]] constexpr bool is_slice(event_kind kind) noexcept {
  return kind <= event_kind::wait;
}
[[nodiscard]] constexpr bool is_instant(event_kind kind) noexcept {
  return kind == event_kind::mark || kind == event_kind::unhandled;
}

enum class track_kind : std::uint8_t { handling, queue, span, depth, value };

/// A line of the picture.
struct timeline_track {
  std::uint32_t process = 0; ///< Index in the trace.
  std::uint32_t actor = 0;   ///< Number of its name.
  track_kind kind = track_kind::handling;
  std::uint32_t name = 0; ///< Of the span or the value.
  std::uint32_t lane = 0; ///< Slices that overlap lie in different lanes.
  friend auto operator<=>(const timeline_track&, const timeline_track&) = default;
};

struct timeline_event {
  std::int64_t at_ns = 0;
  std::int64_t extent = 0;  ///< Nanoseconds of a slice; messages of a `depth`.
  std::uint32_t record = 0; ///< Index of the record that it stems from.
  std::uint32_t lane = 0;
  event_kind kind = event_kind::handling;
};

/// An arrow between two slices of kind `handling`.
struct timeline_flow {
  std::uint64_t id = 0;
  std::uint32_t from = 0; ///< Index of the record;
  std::uint32_t to = 0;   ///< its cause is `from`, or it was made of `from`.
};

struct timeline {
  const recorded_trace* trace = nullptr;
  std::vector<selected_record> records;
  std::vector<timeline_event> events;     ///< By start; what encloses comes before what it encloses.
  std::vector<timeline_flow> flows;       ///< By `from`.
  std::vector<timeline_flow> flows_by_to; ///< The same by `to`.

  [[nodiscard]] const trace_record& record_of(const timeline_event& event) const noexcept {
    return records[event.record].record;
  }
  [[nodiscard]] const recorded_process& process_of(const timeline_event& event) const noexcept {
    return trace->processes[records[event.record].process];
  }
  [[nodiscard]] timeline_track track_of(const timeline_event& event) const noexcept;
  /// Text of the event where the name of the record alone does not tell: "ends: normal".
  [[nodiscard]] std::string special_label(const timeline_event& event) const;
  /// Arrows that begin, or end, at a slice of kind `handling`.
  [[nodiscard]] std::span<const timeline_flow> flows_from(const timeline_event& event) const noexcept;
  [[nodiscard]] std::span<const timeline_flow> flows_to(const timeline_event& event) const noexcept;
};

/// @param trace Must outlive the timeline.
/// @param actors Whose mailboxes are counted: those whose messages are all there.
[[nodiscard]] timeline make_timeline(const recorded_trace& trace, std::vector<selected_record> records,
                                     const actor_filter& actors);

} // namespace troupe
