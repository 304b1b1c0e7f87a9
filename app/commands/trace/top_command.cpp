#include "actors/glue/trace_recorder.hpp"
#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/analysis/trace_top.hpp"

#include <CLI/CLI.hpp>

#include <chrono>
#include <iostream>
#include <memory>
#include <thread>
#include <unistd.h>

namespace troupe {

namespace {

struct top_options {
  std::string run;
  bool once = false;
  bool json = false;
  double interval_seconds = 1;
};

void print(const top_view& view, const top_options& options) {
  if (options.json)
    print_json(view, std::cout);
  else
    print_text(view, std::cout);
  std::cout.flush();
}

/// The run has ended: how it was as a whole.
int show_end(const top_options& options) {
  const auto trace = open_run(options.run, std::cerr);
  if (!trace)
    return trace_usage;
  print(view_of_end(trace->processes.back()), options);
  return trace_ok;
}

int watch(const trace_map& map, const top_options& options) {
  const bool redraw = !options.once && !options.json && isatty(STDOUT_FILENO) == 1;
  auto before = look_at(map, trace_now_ns());
  while (true) {
    std::this_thread::sleep_for(std::chrono::duration<double>(options.interval_seconds));
    auto after = look_at(map, trace_now_ns());
    auto view = view_between(before, after);
    describe_process(map, after.at_ns, view);
    if (view.condition == run_condition::died)
      break;
    if (redraw)
      std::cout << "\x1b[H\x1b[2J";
    print(view, options);
    if (options.once || options.json)
      return trace_ok;
    if (!redraw)
      std::cout << std::endl;
    before = std::move(after);
  }
  return show_end(options);
}

int show_top(const top_options& options) {
  const auto map = find_live_map(options.run + "/trace");
  return map ? watch(**map, options) : show_end(options);
}

} // namespace

void add_trace_top(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<top_options>();
  auto* command = trace.add_subcommand("top", "What the actors of a run are doing right now, also when it hangs");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_flag("--once", options->once, "One look over one interval, then end");
  command->add_option("--interval", options->interval_seconds, "Time between looks: 1s, 500ms")
    ->transform(CLI::AsNumberWithUnit(std::map<std::string, double>{{"ms", 0.001}, {"s", 1}, {"min", 60}}))
    ->check(CLI::Range(0.01, 3600.0));
  command->add_flag("--json", options->json, "As JSON; one look");
  command->callback([options, &exit_code] { exit_code = show_top(*options); });
}

} // namespace troupe
