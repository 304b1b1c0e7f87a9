#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/remake/run_data.hpp"
#include "app/trace_tools/story/follow.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <string>

namespace troupe {

namespace {

struct follow_arguments {
  std::string run;
  std::string what;
  std::size_t limit = follow_options{}.limit;
  std::optional<std::uint64_t> epoch;
  bool json = false;
};

/// Tells of the run's samples by making them again. `data` must outlive it.
story_data told_by(const run_data& data) {
  story_data told;
  told.seed = data.config().run.seed;
  told.find = [&data](const std::string& path) { return data.find(path); };
  told.sample = [&data](bool of_validation, std::uint64_t id, std::uint64_t epoch) {
    auto made = data.remake(of_validation, id, epoch);
    told_sample facts{std::move(made.name), std::move(made.label), std::move(made.notes), {}, made.problem};
    if (made.problem.empty())
      facts.pixel_hash = made.pixel_hash;
    return facts;
  };
  return told;
}

int follow_in_run(const follow_arguments& arguments) {
  const auto subject = parse_subject(arguments.what);
  if (!subject)
    return tell(subject.error(), std::cerr);
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto data = run_data::open(arguments.run);
  auto told = data ? told_by(*data) : story_data{};
  if (!data)
    told.problem = to_string(data.error());
  const auto story = follow(*trace, *subject, {arguments.limit, arguments.epoch, arguments.run}, told);
  if (!story)
    return tell(story.error(), std::cerr);
  if (arguments.json)
    print_json(*story, std::cout);
  else
    print_text(*story, std::cout);
  return trace_ok;
}

} // namespace

void add_trace_follow(CLI::App& trace, int& exit_code) {
  auto arguments = std::make_shared<follow_arguments>();
  auto* command = trace.add_subcommand("follow", "The way of a sample, batch, step, checkpoint or message, and why");
  command->add_option("run", arguments->run, "Run folder")->required();
  command
    ->add_option("what", arguments->what, "sample:ID, file:PATH, batch:N, step:N, checkpoint:VERSION or message:ID")
    ->required();
  command->add_option("--limit", arguments->limit, "Tell of so many samples, uses or related messages")
    ->check(CLI::Range(1, 1000));
  command->add_option("--epoch", arguments->epoch, "Only what a sample did in this epoch, counted from 0");
  command->add_flag("--json", arguments->json, "As JSON");
  command->callback([arguments, &exit_code] { exit_code = follow_in_run(*arguments); });
}

} // namespace troupe
