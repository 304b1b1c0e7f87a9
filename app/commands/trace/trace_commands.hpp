/// `troupe trace ...`: one file per tool, each of which adds itself to the command line.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <iosfwd>
#include <string>
#include <string_view>

namespace CLI {
class App;
}

namespace troupe {

/// What a tool of `troupe trace` exits with. Tools may have codes of their own, from 10 up.
enum trace_exit : int {
  trace_ok = 0,
  trace_failed = 1, ///< It could not do what was asked, for example write a file.
  trace_usage = 2,  ///< What was asked for is not there, or makes no sense.
};

/// What is said of `--plugin`.
inline constexpr const char* plugin_option_text =
  "Load this plugin; those that the run's config lists are left out then. "
  "Once for each file";

/// Each adds its sub-command to `trace`. Parsing that sub-command runs it: `exit_code` gets what it exits with.
void add_trace_summary(CLI::App& trace, int& exit_code);
void add_trace_show(CLI::App& trace, int& exit_code);
void add_trace_replay(CLI::App& trace, int& exit_code);
void add_trace_verdict(CLI::App& trace, int& exit_code);
void add_trace_diff(CLI::App& trace, int& exit_code);
void add_trace_top(CLI::App& trace, int& exit_code);
void add_trace_export(CLI::App& trace, int& exit_code);
void add_trace_follow(CLI::App& trace, int& exit_code);
void add_trace_filter(CLI::App& trace, int& exit_code);
void add_trace_dead(CLI::App& trace, int& exit_code);
void add_trace_crash(CLI::App& trace, int& exit_code);
void add_trace_report(CLI::App& trace, int& exit_code);

/// All of them.
void add_trace_commands(CLI::App& trace, int& exit_code);

/// Opens the trace of a run folder; where that fails, says why on `err`.
[[nodiscard]] expected<recorded_trace> open_run(const std::string& run_folder, std::ostream& err);

/// Tells a failure on `err` and returns the exit code for it.
int tell(const failure& error, std::ostream& err);

/// Puts a file with these bytes in the place of `path`. `io_error`, whatever kept it from that; names `path`.
[[nodiscard]] expected<void> write_output(const std::string& path, std::string_view bytes);

} // namespace troupe
