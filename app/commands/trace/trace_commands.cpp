#include "app/commands/trace/trace_commands.hpp"

#include "actors/support/file_io.hpp"

#include <CLI/CLI.hpp>

#include <filesystem>
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

expected<void> write_output(const std::string& path, std::string_view bytes) {
  namespace fs = std::filesystem;
  const auto folder = fs::path(path).parent_path();
  std::error_code ignored;
  if (!folder.empty() && !fs::is_directory(folder, ignored))
    return failure{ec::io_error, "cannot write " + path + ": there is no folder " + folder.string()};
  if (fs::is_directory(path, ignored))
    return failure{ec::io_error, "cannot write " + path + ": it is a folder, expected the name of a file"};
  const auto written = replace_file(path, bytes);
  return written ? expected<void>{} : failure{ec::io_error, "cannot write " + path + ": " + written.error().context};
}

} // namespace troupe
