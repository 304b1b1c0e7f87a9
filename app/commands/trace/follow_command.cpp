#include "app/commands/trace/trace_commands.hpp"
#include "app/config/load_config.hpp"
#include "app/trace_tools/remake/batch_members.hpp"
#include "app/trace_tools/remake/data_place.hpp"
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
  told.problem = data.change();
  if (data.change().empty())
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

/// Adds which batch held which samples; if the data changed since, nobody knows.
void tell_members(const run_data& data, const recorded_trace& trace, const std::string& run, story_data& told) {
  if (!data.change().empty())
    return;
  const auto members = std::make_shared<batch_members>(data, trace, run);
  told.members = [members](std::uint64_t batch) { return members->of(batch); };
  told.num_members = [members](std::uint64_t batch) { return members->count(batch); };
}

/// Without the data the config still knows the seed.
story_data told_without(const std::string& run, const failure& problem) {
  story_data told;
  told.problem = to_string(problem);
  if (const auto config = load_config(config_path_of(run)))
    told.seed = config->run.seed;
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
  auto told = data ? told_by(*data) : told_without(arguments.run, data.error());
  if (data)
    tell_members(*data, *trace, arguments.run, told);
  if (data && !data->change().empty())
    std::cerr << "warning: " << data->change() << '\n';
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
  command->add_option("--limit", arguments->limit, "Tell of so many samples, chunks, uses or related messages")
    ->check(CLI::Range(1, 1000));
  command->add_option("--epoch", arguments->epoch, "Only what a sample did in this epoch, counted from 1")
    ->check(CLI::PositiveNumber);
  command->add_flag("--json", arguments->json, "As JSON");
  command->callback([arguments, &exit_code] { exit_code = follow_in_run(*arguments); });
}

} // namespace troupe
