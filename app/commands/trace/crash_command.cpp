#include "app/commands/trace/trace_commands.hpp"
#include "app/config/load_config.hpp"
#include "app/trace_tools/story/crash_report.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace troupe {

namespace {

struct crash_arguments {
  std::string run;
  std::size_t num_last = crash_options{}.num_last;
  bool json = false;
};

int report_crash(const crash_arguments& arguments) {
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  crash_options options{arguments.num_last, {}};
  const auto config = load_config(arguments.run + "/config.yaml");
  if (config)
    options.prefetch_batches = config->pipeline.prefetch_batches;
  auto report = investigate(*trace, arguments.run + "/trace", options);
  if (!config && !report.scenes.empty())
    report.problems.push_back("the number of batch buffers is unknown: " + to_string(config.error()));
  if (arguments.json)
    print_json(report, std::cout);
  else
    print_text(report, std::cout);
  return trace_ok;
}

} // namespace

void add_trace_crash(CLI::App& trace, int& exit_code) {
  auto arguments = std::make_shared<crash_arguments>();
  auto* command = trace.add_subcommand("crash", "What everybody was at when the run died, hung or stalled");
  command->add_option("run", arguments->run, "Run folder")->required();
  command->add_option("--last", arguments->num_last, "So many messages of each actor")->check(CLI::Range(0, 100'000));
  command->add_flag("--json", arguments->json, "As JSON");
  command->callback([arguments, &exit_code] { exit_code = report_crash(*arguments); });
}

} // namespace troupe
