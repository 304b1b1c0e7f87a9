/// What a run's trace says about its actors: how many messages of which kind, how long they waited, how long they took.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

/// What the rows of a summary are about.
enum class summary_by : std::uint8_t {
  actor, ///< Messages of one type at one actor, whoever sent them.
  edge,  ///< Messages of one type from one actor to another.
};

struct summary_row {
  trace_kind kind = trace_kind::message; ///< Spans, marks, values and samples are counted too.
  std::string sender;                    ///< Empty: by actor, or anonymous.
  std::string actor;                     ///< Receiver; whose mark or span it is.
  std::string message_type;
  message_stats stats;
};

/// What one actor was like as a whole.
struct actor_load {
  std::string actor;
  double busy = 0;                 ///< Share of the run that its handlers took.
  std::uint64_t mailbox_depth = 0; ///< At the last look; 0 where the process has ended.
};

struct trace_summary {
  const recorded_trace* trace = nullptr;
  summary_by by = summary_by::actor;
  std::vector<summary_row> rows; ///< By kind, actor, message type, sender. Same names add up over the processes.
  std::vector<actor_load> actors;
  double seconds = 0; ///< Of all processes.
};

/// Sums up the counts of all processes of `trace`, which must outlive the summary.
[[nodiscard]] trace_summary summarize(const recorded_trace& trace, summary_by by = summary_by::actor);

/// Tables for people: messages, actors, and a table each for spans, marks, values and samples where there are any. Times
/// carry their unit; `busy` is the share of the run that the handlers took. The last line says what was recorded and
/// dropped, and what went with old files.
void print_text(const trace_summary& summary, std::ostream& out);

/// The same, complete, for programs. Messages are the `rows`. Times are in nanoseconds.
void print_json(const trace_summary& summary, std::ostream& out);

} // namespace troupe
