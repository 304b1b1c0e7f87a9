#include "app/commands/trace_command.hpp"

#include "actors/tracer/trace_summary.hpp"

#include <ostream>

namespace troupe {

int trace_summary_command(const std::string& run_folder, bool json, std::ostream& out, std::ostream& err) {
  constexpr int exit_usage = 2;
  const auto summary = summarize_trace(run_folder + "/trace");
  if (!summary) {
    err << "troupe: " << to_string(summary.error()) << '\n';
    return exit_usage;
  }
  if (json)
    print_json(*summary, out);
  else
    print_text(*summary, out);
  return 0;
}

} // namespace troupe
