#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/analysis/name_patterns.hpp"
#include "app/trace_tools/story/filter.hpp"

#include <CLI/CLI.hpp>

#include <charconv>
#include <iostream>
#include <map>
#include <memory>
#include <string>

namespace troupe {

namespace {

struct filter_arguments {
  std::string run;
  filter_options options;
  std::string kind, outcome, order;                  ///< Empty: not asked for.
  std::string min_wait, min_handling, after, before; ///< Times.
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

/// Nanoseconds; nothing if it is no time from 0 to `most_hours`.
std::optional<std::uint64_t> time_in(const std::string& text) {
  constexpr double hour = 3.6e12, most_hours = 1e6;
  static const std::map<std::string, double> units = {{"ns", 1},  {"us", 1e3},   {"ms", 1e6},
                                                      {"s", 1e9}, {"min", 6e10}, {"h", hour}};
  double number = 0;
  const auto [stop, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  const auto unit = units.find(std::string(stop, text.data() + text.size()));
  if (error != std::errc{} || unit == units.end() || !(number >= 0 && number * unit->second <= most_hours * hour))
    return std::nullopt;
  return static_cast<std::uint64_t>(number * unit->second);
}

std::string time_problem(const std::string& text) {
  return time_in(text) ? "" : "\"" + text + "\", expected a time like 200us, 5ms, 10s or 2min, up to 1000000h";
}

/// What the words and times stand for. They have been checked.
filter_options options_of(const filter_arguments& arguments) {
  auto options = arguments.options;
  const auto put_time = [](const std::string& text, std::optional<std::uint64_t>& to) {
    if (!text.empty())
      to = time_in(text);
  };
  put_time(arguments.min_wait, options.min_wait_ns);
  put_time(arguments.min_handling, options.min_handling_ns);
  put_time(arguments.after, options.after_ns);
  put_time(arguments.before, options.before_ns);
  if (!arguments.kind.empty())
    options.kind = kinds.at(arguments.kind);
  if (!arguments.outcome.empty())
    options.outcome = outcomes.at(arguments.outcome);
  if (!arguments.order.empty())
    options.order = orders.at(arguments.order);
  return options;
}

int filter_run(const filter_arguments& arguments) {
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  if (auto checked = check_actor_pattern(*trace, arguments.options.actor); !checked)
    return tell({checked.error().code, "--actor: " + checked.error().context}, std::cerr);
  if (auto checked = check_type_pattern(*trace, arguments.options.type); !checked)
    return tell({checked.error().code, "--type: " + checked.error().context}, std::cerr);
  const auto result = filter(*trace, options_of(arguments));
  if (arguments.json)
    print_json(result, std::cout);
  else
    print_text(result, std::cout);
  return trace_ok;
}

void add_time(CLI::App& command, const char* name, std::string& to, const char* help) {
  command.add_option(name, to, help)->type_name("TIME")->check(CLI::Validator(time_problem, ""));
}

/// An option whose values are the keys of `words`.
template <class Value>
void add_words(CLI::App& command, const char* name, std::string& to, const std::map<std::string, Value>& words,
               const char* help) {
  std::string all;
  for (const auto& [word, value] : words)
    all += (all.empty() ? "" : "|") + word;
  const auto problem = [all, &words](const std::string& text) {
    return words.contains(text) ? "" : "\"" + text + "\", expected " + all;
  };
  command.add_option(name, to, help)->type_name(all)->check(CLI::Validator(problem, ""));
}

void add_options(CLI::App& command, filter_arguments& arguments) {
  auto& options = arguments.options;
  command.add_option("--actor", options.actor, "Sender or receiver; a pattern: 'augmenter#*'");
  command.add_option("--type", options.type, "Message type, mark, span or value; a pattern");
  add_words(command, "--kind", arguments.kind, kinds, "What the record is");
  add_words(command, "--outcome", arguments.outcome, outcomes, "What became of it");
  command.add_option("--sample", options.sample, "About this sample");
  command.add_option("--batch", options.batch, "About this batch");
  command.add_option("--step", options.step, "About this step");
  command.add_option("--version", options.version, "About the snapshot of this version");
  add_time(command, "--min-wait", arguments.min_wait, "Waited so long in a mailbox at least: 5ms");
  add_time(command, "--min-handling", arguments.min_handling, "Handled for so long at least: 5ms");
  add_time(command, "--after", arguments.after, "So long after the start: 10s");
  add_time(command, "--before", arguments.before, "Earlier than so long after the start: 20s");
  add_words(command, "--largest", arguments.order, orders, "The largest first");
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
