#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/analysis/verdict.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

struct verdict_options {
  std::string run;
  bool json = false;
};

int judge_run(const verdict_options& options) {
  const auto trace = open_run(options.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto found = judge(*trace, threads_of_run(*trace, options.run));
  if (options.json)
    print_json(found, std::cout);
  else
    print_text(found, std::cout);
  return static_cast<int>(found.stage);
}

} // namespace

void add_trace_verdict(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<verdict_options>();
  auto* command = trace.add_subcommand("verdict", "Which stage limits the run, and what would help");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_flag("--json", options->json, "As JSON");
  command->footer("Exit codes: 0 trainer, 10 reading, 11 augmenting, 12 collating, 13 validating, 14 saving, "
                  "15 logging, 16 prefetch, 17 staging, 20 undecided; 2: no trace.");
  command->callback([options, &exit_code] { exit_code = judge_run(*options); });
}

} // namespace troupe
