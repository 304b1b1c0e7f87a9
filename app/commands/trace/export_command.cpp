#include "actors/support/figures.hpp"
#include "app/commands/trace/trace_commands.hpp"
#include "app/config/scalar_text.hpp"
#include "app/trace_tools/export/export_file.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include <iostream>
#include <map>
#include <memory>

namespace troupe {

namespace {

struct export_arguments {
  std::string run;
  std::string format;
  std::string out;
  std::string last;
  std::vector<std::string> actors;
  std::uint64_t max_mb = 200;
  bool json = false;
};

const std::map<std::string, export_format> formats = {{"chrome", export_format::chrome},
                                                      {"perfetto", export_format::perfetto},
                                                      {"mermaid", export_format::mermaid},
                                                      {"csv", export_format::csv}};

expected<export_options> options_of(const export_arguments& arguments) {
  export_options options{.format = formats.at(arguments.format), .filter = {}, .max_bytes = arguments.max_mb * 1000000};
  options.filter.actors = arguments.actors;
  if (!arguments.last.empty()) {
    const auto last = parse_duration(arguments.last);
    if (!last)
      return failure{ec::bad_config, "export: --last " + arguments.last + ": expected a time like 5s or 200ms"};
    options.filter.last = *last;
  }
  return options;
}

void tell_result(const export_arguments& arguments, const std::string& path, const export_report& report) {
  if (arguments.json)
    print_json({{"file", path},
                {"bytes", report.num_bytes},
                {"messages", report.num_messages},
                {"cut", report.num_selected - report.num_messages}},
               std::cout);
  else
    std::cout << "wrote " << path << ": " << count_text(report.num_messages) << " messages, "
              << bytes_text(static_cast<double>(report.num_bytes)) << '\n';
}

int export_run(const export_arguments& arguments) {
  const auto options = options_of(arguments);
  if (!options)
    return tell(options.error(), std::cerr);
  const auto trace = open_run(arguments.run, std::cerr);
  if (!trace)
    return trace_usage;
  const auto path = arguments.out.empty() ? default_export_path(arguments.run, options->format) : arguments.out;
  const bool to_stdout = path.empty() || path == "-";
  const auto report = to_stdout ? export_trace(*trace, *options, std::cout) : export_to_file(*trace, *options, path);
  if (!report)
    return tell(report.error(), std::cerr);
  if (!to_stdout)
    tell_result(arguments, path, *report);
  for (const auto& problem : trace->problems)
    std::cerr << "warning: " << problem << '\n';
  for (const auto& sentence : losses(*trace, *options, *report))
    std::cerr << sentence << '\n';
  return std::cout.flush() ? trace_ok : trace_failed;
}

} // namespace

void add_trace_export(CLI::App& trace, int& exit_code) {
  auto arguments = std::make_shared<export_arguments>();
  auto* command = trace.add_subcommand("export", "The messages for other tools: timelines, diagrams, tables");
  command->add_option("run", arguments->run, "Run folder")->required();
  command
    ->add_option("--format", arguments->format,
                 "chrome (JSON) or perfetto: timeline for the Perfetto UI; mermaid: sequence diagram; csv: all records")
    ->required()
    ->check(CLI::IsMember(formats));
  command->add_option("--out", arguments->out,
                      "File; -: standard output (default: trace.json, .pftrace or .csv in the run folder; mermaid: -)");
  command->add_option("--last", arguments->last, "Only the end of the trace: 5s, 200ms");
  command->add_option("--actor", arguments->actors, "Only messages from or to such actors: trainer, 'augmenter#*'")
    ->allow_extra_args(false);
  command->add_option("--max-mb", arguments->max_mb, "Size of the file, at most; the newest part is kept")
    ->check(CLI::Range(1, 100000))
    ->capture_default_str();
  command->add_flag("--json", arguments->json, "Tell what was written as JSON");
  command->callback([arguments, &exit_code] { exit_code = export_run(*arguments); });
}

} // namespace troupe
