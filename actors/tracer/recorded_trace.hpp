/// The trace of a run as its files hold it: of processes that ended in order, of one that still runs, and of those that
/// died, whose newest records are taken from the mapping that they left behind.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/tracer/trace_file.hpp"

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace troupe {

/// How a traced process came to its end, as far as its files tell.
enum class process_state : std::uint8_t { finished, running, died };

[[nodiscard]] const char* to_string(process_state state) noexcept;

/// One process that traced: a run that was resumed has several.
struct recorded_process {
  std::string id; ///< Nonce, 16 hex digits. Message ids are unique within it.
  std::string host;
  std::uint64_t pid = 0;
  std::uint32_t num_cpus = 0; ///< Cores that it may use; 0: unknown.
  bool full = false;          ///< Meant to hold all records; else the newest ones of each thread.
  process_state state = process_state::finished;
  std::int64_t realtime_ns = 0; ///< Start, since 1970.
  std::int64_t started_ns = 0;  ///< The same moment on the clock of the records.
  std::int64_t seen_ns = 0;     ///< Its end, or the last sign of life.
  std::uint64_t recorded = 0;
  std::uint64_t dropped = 0;
  std::uint64_t cut = 0;           ///< Records that went with the oldest files (`trace.max_size`).
  std::vector<std::string> names;  ///< By number; 0 is "(other)".
  stats_map stats;                 ///< Exact, whatever was dropped or cut.
  std::vector<actor_state> actors; ///< Of a process that still runs, that died, or of a flight recorder.
  std::string reason;              ///< Of a flight recorder: why it was written.
  std::string last_words;          ///< The exception that nobody caught, where one ended the process.
  int fatal_signal = 0;            ///< What killed it, where it could still say so.
  std::vector<std::string> files;  ///< By segment.
  std::string rings;               ///< Mapping left behind; empty: none, or not needed.

  [[nodiscard]] double seconds() const noexcept;
  /// The text of a name.
  [[nodiscard]] const std::string& name(std::uint32_t number) const noexcept;
  /// Seconds from the process's start to a time of its records.
  [[nodiscard]] double since_start(std::int64_t ns) const noexcept;
};

/// All processes of a run.
struct recorded_trace {
  std::vector<recorded_process> processes; ///< In the order of their starts.
  std::vector<std::string> problems;       ///< What could not be read.

  [[nodiscard]] std::uint64_t recorded() const noexcept;
  [[nodiscard]] std::uint64_t dropped() const noexcept;
};

/// Reads all that `folder` (`<run>/trace`) holds, but for the records. `not_found` if there is no trace.
[[nodiscard]] expected<recorded_trace> open_trace(const std::string& folder);

/// Reads one flight recorder (`flight-*.trc`), but for the records.
[[nodiscard]] expected<recorded_process> open_flight_recorder(const std::string& path);

/// Paths of the flight recorders in `folder`, oldest first.
[[nodiscard]] std::vector<std::string> find_flight_recorders(const std::string& folder);

using process_record_visitor = std::function<void(const trace_record&)>;

/// Hands over every record of a process that is still there: those of the files, then what only the rings hold. Records
/// of one thread come in the order of their ends. Takes as much memory as one block.
void visit_records(const recorded_process& process, const process_record_visitor& visit);

} // namespace troupe
