/// What a run's trace says about its actors: how many messages of which kind, how long they waited, how long they took.
#pragma once

#include "actors/glue/trace_stats.hpp"
#include "actors/support/expected.hpp"

#include <cstdint>
#include <iosfwd>
#include <string>
#include <vector>

namespace troupe {

/// Messages of one type at one actor.
struct summary_row {
  std::string actor;
  std::string message_type;
  message_stats stats;
};

/// How a traced process came to its end, as far as its files tell.
enum class process_state : std::uint8_t { finished, running, died };

struct traced_process {
  std::string id; ///< Nonce, 16 hex digits.
  std::string host;
  std::uint64_t pid = 0;
  process_state state = process_state::finished;
  double seconds = 0; ///< From the recorder's start to its end, or as long as it was seen.
  std::uint64_t recorded = 0;
  std::uint64_t dropped = 0;
};

struct trace_summary {
  std::vector<traced_process> processes; ///< In the order of their starts.
  std::vector<summary_row> rows;         ///< By actor, then by message type. Same names add up over the processes.
  double seconds = 0;                    ///< Of all processes.
  std::uint64_t recorded = 0;
  std::uint64_t dropped = 0;
  std::vector<std::string> problems; ///< What could not be read.
};

/// Sums up all traces in a folder: of processes that ended in order, of one that still runs, and of those that died,
/// whose rings are taken from the mapping that they left behind. `not_found` if there is no trace.
expected<trace_summary> summarize_trace(const std::string& folder);

/// A table for people. Times carry their unit; `busy` is the share of the run that the handlers took.
void print_text(const trace_summary& summary, std::ostream& out);

/// The same, complete, for programs. Times are in nanoseconds.
void print_json(const trace_summary& summary, std::ostream& out);

} // namespace troupe
