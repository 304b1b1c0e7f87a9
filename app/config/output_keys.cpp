#include "app/config/component_specs.hpp"
#include "app/config/schema.hpp"

namespace troupe {

namespace {

/// The built-in figures, and those that plugins have brought.
std::vector<std::string> figures() {
  std::vector<std::string> names{"top1", "topk", "loss"};
  for (const auto& spec : metric_specs())
    names.push_back(spec.name);
  return names;
}

void add_checkpoint_keys(config_schema& to) {
  using s = checkpoint_section;
  auto add = add_section(to, "checkpoint", "What is kept on disk.", &run_config::checkpoint);
  add("every", &s::every, every(), "How often.").changeable().known_as({"save_every", "interval"});
  add("keep_last", &s::keep_last, whole<std::uint64_t>(1), "How many of the newest stay; the best stays besides.")
    .in("checkpoints")
    .changeable()
    .known_as({"save_total_limit", "keep", "save_top_k"});
  add("monitor", &s::monitor, one_of(figures()),
      "What decides which is the best; a plugin's metric must be one of validation.metrics.")
    .changeable();
  add("mode", &s::mode, choice<monitor_mode>({{"max", monitor_mode::max}, {"min", monitor_mode::min}}),
      "Whether the best is the largest or the smallest.")
    .changeable();
}

void add_log_keys(config_schema& to) {
  using s = log_section;
  auto add = add_section(to, "log", "What is told while the run goes.", &run_config::log);
  add("console", &s::console,
      choice<console_mode>({{"auto", console_mode::automatic},
                            {"live", console_mode::live},
                            {"plain", console_mode::plain},
                            {"quiet", console_mode::quiet}}),
      "auto: live on a terminal, plain elsewhere.")
    .changeable();
  add("csv", &s::csv, boolean(), "Write metrics.csv and validation.csv.").changeable();
  add("tensorboard", &s::tensorboard, boolean(), "Write an event file for TensorBoard.").changeable();
  add("every_steps", &s::every_steps, whole<std::uint64_t>(1), "How often metrics are written.")
    .in("steps")
    .changeable()
    .known_as({"log_every", "log_interval", "log_every_n_steps"});
  add("sinks", &s::sinks, component_list("log sink", sink_specs()), "Where plugins write metrics and news, too.")
    .changeable();
}

} // namespace

void add_output_keys(config_schema& to) {
  add_checkpoint_keys(to);
  add_log_keys(to);
  auto add = add_section(to, "trace", "What is recorded of the messages.", &run_config::trace);
  add("mode", &trace_section::mode,
      choice<trace_mode>({{"off", trace_mode::off}, {"flight", trace_mode::flight}, {"full", trace_mode::full}}),
      "flight: rings and exact counts; full: also every record in a file.")
    .changeable();
  add("max_size", &trace_section::max_size, bytes(4096, std::uint64_t{1} << 40),
      "What the trace files of a process may take; the oldest records go first.")
    .changeable();
}

} // namespace troupe
