#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/analysis/trace_diff.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

struct diff_options {
  std::string run_a, run_b;
  bool json = false;
};

int compare_runs(const diff_options& options) {
  const auto a = open_run(options.run_a, std::cerr);
  const auto b = open_run(options.run_b, std::cerr);
  if (!a || !b)
    return trace_usage;
  const auto diff = compare({*a, shape_of_run(options.run_a)}, {*b, shape_of_run(options.run_b)});
  if (!diff)
    return tell(diff.error(), std::cerr);
  if (options.json)
    print_json(*diff, std::cout);
  else
    print_text(*diff, std::cout);
  return trace_ok;
}

} // namespace

void add_trace_diff(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<diff_options>();
  auto* command = trace.add_subcommand("diff", "What became slower from one run to another");
  command->add_option("run_a", options->run_a, "Run folder A, the one to compare with")->required();
  command->add_option("run_b", options->run_b, "Run folder B")->required();
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &exit_code] { exit_code = compare_runs(*options); });
}

} // namespace troupe
