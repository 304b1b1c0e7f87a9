#include "app/commands/trace/trace_commands.hpp"

#include <CLI/CLI.hpp>

#include <ostream>

namespace troupe {

void add_trace_commands(CLI::App& trace, int& exit_code) {
  add_trace_summary(trace, exit_code);
  add_trace_show(trace, exit_code);
  add_trace_replay(trace, exit_code);
  add_trace_verdict(trace, exit_code);
  add_trace_diff(trace, exit_code);
  add_trace_top(trace, exit_code);
  add_trace_export(trace, exit_code);
  add_trace_follow(trace, exit_code);
  add_trace_filter(trace, exit_code);
  add_trace_dead(trace, exit_code);
  add_trace_crash(trace, exit_code);
  add_trace_report(trace, exit_code);
}

expected<recorded_trace> open_run(const std::string& run_folder, std::ostream& err) {
  auto trace = open_trace(run_folder + "/trace");
  if (!trace)
    tell(trace.error(), err);
  return trace;
}

int tell(const failure& error, std::ostream& err) {
  err << "troupe trace: " << to_string(error) << '\n';
  return error.code == ec::io_error ? trace_failed : trace_usage;
}

} // namespace troupe
