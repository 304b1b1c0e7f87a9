#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/story/lost_messages.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace troupe {

namespace {

struct dead_arguments {
  std::string run;
  bool json = false;
};

int find_dead(const dead_arguments& arguments) {
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto report = find_lost(*trace, read_books(arguments.run));
  if (arguments.json)
    print_json(report, std::cout);
  else
    print_text(report, std::cout);
  return report.adds_up() ? trace_ok : trace_failed;
}

} // namespace

void add_trace_dead(CLI::App& trace, int& exit_code) {
  auto arguments = std::make_shared<dead_arguments>();
  auto* command = trace.add_subcommand("dead", "Messages that nobody handled, and whether the run's books add up");
  command->add_option("run", arguments->run, "Run folder")->required();
  command->add_flag("--json", arguments->json, "As JSON");
  command->callback([arguments, &exit_code] { exit_code = find_dead(*arguments); });
}

} // namespace troupe
