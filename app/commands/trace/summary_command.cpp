#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/analysis/trace_summary.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

struct summary_options {
  std::string run;
  std::string by = "actor";
  bool json = false;
};

int summarize_run(const summary_options& options) {
  const auto trace = open_run(options.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto summary = summarize(*trace, options.by == "edge" ? summary_by::edge : summary_by::actor);
  if (options.json)
    print_json(summary, std::cout);
  else
    print_text(summary, std::cout);
  return trace_ok;
}

} // namespace

void add_trace_summary(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<summary_options>();
  auto* command = trace.add_subcommand("summary", "Counts and times by actor and message type");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_option("--by", options->by, "What a row is about: actor, or edge (sender and receiver)")
    ->check(CLI::IsMember({"actor", "edge"}));
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &exit_code] { exit_code = summarize_run(*options); });
}

} // namespace troupe
