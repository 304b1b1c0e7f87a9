#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/story/filter.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <map>
#include <memory>
#include <string>

namespace troupe {

namespace {

struct filter_arguments {
  std::string run;
  filter_options options;
  std::optional<double> min_wait, min_handling, after, before; ///< Nanoseconds.
  bool json = false;
};

const std::map<std::string, trace_kind> kinds = {{"message", trace_kind::message}, {"mark", trace_kind::mark},
                                                 {"span", trace_kind::span},       {"value", trace_kind::value},
                                                 {"sample", trace_kind::sample},   {"link", trace_kind::link},
                                                 {"spawn", trace_kind::spawn},     {"exit", trace_kind::exit}};

const std::map<std::string, trace_outcome> outcomes = {{"handled", trace_outcome::handled},
                                                       {"dropped", trace_outcome::dropped},
                                                       {"threw", trace_outcome::threw},
                                                       {"skipped", trace_outcome::skipped},
                                                       {"never_handled", trace_outcome::never_handled}};

const std::map<std::string, filter_order> orders = {{"wait", filter_order::wait},
                                                    {"handling", filter_order::handling},
                                                    {"value", filter_order::value},
                                                    {"bytes", filter_order::bytes}};

int filter_run(filter_arguments arguments) {
  const auto put = [](const std::optional<double>& from, std::optional<std::uint64_t>& to) {
    if (from)
      to = static_cast<std::uint64_t>(*from);
  };
  put(arguments.min_wait, arguments.options.min_wait_ns);
  put(arguments.min_handling, arguments.options.min_handling_ns);
  put(arguments.after, arguments.options.after_ns);
  put(arguments.before, arguments.options.before_ns);
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto result = filter(*trace, arguments.options);
  if (arguments.json)
    print_json(result, std::cout);
  else
    print_text(result, std::cout);
  return trace_ok;
}

void add_time(CLI::App& command, const char* name, std::optional<double>& to, const char* help) {
  static const std::map<std::string, double> units = {{"ns", 1},  {"us", 1e3},   {"ms", 1e6},
                                                      {"s", 1e9}, {"min", 6e10}, {"h", 3.6e12}};
  command.add_option(name, to, help)
    ->transform(CLI::AsNumberWithUnit(units, CLI::AsNumberWithUnit::UNIT_REQUIRED, "TIME"))
    ->check(CLI::NonNegativeNumber);
}

void add_options(CLI::App& command, filter_arguments& arguments) {
  auto& options = arguments.options;
  command.add_option("--actor", options.actor, "Sender or receiver; a pattern: 'augmenter#*'");
  command.add_option("--type", options.type, "Message type, mark, span or value; a pattern");
  command.add_option("--kind", options.kind, "What the record is")->transform(CLI::CheckedTransformer(kinds));
  command.add_option("--outcome", options.outcome, "What became of it")->transform(CLI::CheckedTransformer(outcomes));
  command.add_option("--sample", options.sample, "About this sample");
  command.add_option("--batch", options.batch, "About this batch");
  command.add_option("--step", options.step, "About this step");
  command.add_option("--version", options.version, "About the snapshot of this version");
  add_time(command, "--min-wait", arguments.min_wait, "Waited so long in a mailbox at least: 5ms");
  add_time(command, "--min-handling", arguments.min_handling, "Handled for so long at least: 5ms");
  add_time(command, "--after", arguments.after, "So long after the start: 10s");
  add_time(command, "--before", arguments.before, "Earlier than so long after the start: 20s");
  command.add_option("--largest", options.order, "The largest first, by wait, handling, value or bytes")
    ->transform(CLI::CheckedTransformer(orders));
  command.add_option("--limit", options.limit, "List so many")->check(CLI::Range(1, 1'000'000));
  command.add_flag("--json", arguments.json, "As JSON");
}

} // namespace

void add_trace_filter(CLI::App& trace, int& exit_code) {
  auto arguments = std::make_shared<filter_arguments>();
  auto* command = trace.add_subcommand("filter", "Records by actor, type, outcome, id and time");
  command->add_option("run", arguments->run, "Run folder")->required();
  add_options(*command, *arguments);
  command->callback([arguments, &exit_code] { exit_code = filter_run(*arguments); });
}

} // namespace troupe
