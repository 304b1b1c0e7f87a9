#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/remake/replayed_chunk.hpp"
#include "app/trace_tools/remake/selector.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>
#include <vector>

namespace troupe {

namespace {

struct replay_options {
  std::string run;
  std::string what;
  std::vector<std::string> plugins;
  bool json = false;
};

expected<replayed_chunk> handle_again(const replay_options& options, const recorded_trace& trace) {
  const auto message = number_of("message", options.what);
  if (!message)
    return message.error();
  auto chunk = find_chunk(trace, *message);
  if (!chunk)
    return chunk.error();
  const auto data = run_data::open(options.run, options.plugins);
  if (!data)
    return data.error();
  return replay(*data, std::move(*chunk), [](std::uint64_t id, const std::string& name) {
    std::cerr << "sample " << id << " (" << name << ")" << std::endl; // At once: the next thing may be a crash.
  });
}

int replay_message(const replay_options& options) {
  const auto trace = open_run(options.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto chunk = handle_again(options, *trace);
  if (!chunk)
    return tell(chunk.error(), std::cerr);
  if (options.json)
    print_json(*chunk, std::cout);
  else
    print_text(*chunk, std::cout);
  return chunk->check.differs() ? trace_failed : trace_ok;
}

} // namespace

void add_trace_replay(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<replay_options>();
  auto* command = trace.add_subcommand("replay", "Has an augmenter's message handled again, alone: for a debugger");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_option("what", options->what, "message:ID of a chunk_ready")->required();
  command->add_option("--plugin", options->plugins, plugin_option_text)->allow_extra_args(false);
  command->add_flag("--json", options->json, "As JSON");
  command->callback([options, &exit_code] { exit_code = replay_message(*options); });
}

} // namespace troupe
