/// `troupe trace crash`: what everybody was at when a process died, hung, or wrote a flight recorder.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <iosfwd>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// A message that was being handled at the last sign of life.
struct message_in_hand {
  std::string actor;
  std::string type;
  std::uint64_t message = 0;
  trace_ids ids;
  double seconds = 0; ///< Since it was taken up.
};

/// What one actor did last.
struct actor_tail {
  std::string actor;
  std::uint64_t mailbox_depth = 0;
  bool has_records = false;         ///< Messages of it are in the trace,
  std::vector<trace_record> newest; ///< and these are the newest, oldest first.
};

/// Where the batch buffers of the training pipeline were, as far as the counts tell.
struct buffer_credits {
  std::uint64_t minted = 0;
  std::uint64_t filling = 0;      ///< Free at the loader, or being filled.
  std::uint64_t waiting = 0;      ///< Full, in the trainer's mailbox.
  std::uint64_t with_trainer = 0; ///< In the batch that it works on.
  std::uint64_t returning = 0;    ///< On the way back to the loader.
};

struct crash_scene {
  recorded_process process;
  std::string flight_recorder;          ///< Its path; empty: the process's own files.
  std::string cause;                    ///< What killed it, or why the flight recorder was written.
  std::string when;                     ///< The last sign of life, UTC.
  std::vector<message_in_hand> in_hand; ///< The longest first.
  std::vector<actor_tail> actors;
  std::vector<trace_record> threw; ///< Messages whose handlers threw; the newest few.
  std::vector<trace_record> exits; ///< Actors that ended, in order.
  std::optional<buffer_credits> buffers;
};

struct crash_report {
  std::vector<crash_scene> scenes; ///< Processes that did not end in order, newest first, then flight recorders.
  std::vector<std::string> problems;
  std::uint64_t num_finished = 0; ///< Processes that ended in order.
};

struct crash_options {
  std::size_t num_last = 10;                          ///< Messages per actor, status questions apart.
  std::optional<std::uint64_t> prefetch_batches = {}; ///< Buffers of the run; nothing: unknown.
};

/// Looks at the processes of a trace and at the flight recorders in `folder` (`<run>/trace`).
[[nodiscard]] crash_report investigate(const recorded_trace& trace, const std::string& folder,
                                       const crash_options& options);

void print_text(const crash_report& report, std::ostream& out);
void print_json(const crash_report& report, std::ostream& out);

} // namespace troupe
