#include "app/commands/trace/trace_commands.hpp"
#include "app/trace_tools/report/report_page.hpp"
#include "app/trace_tools/report/sample_pictures.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <CLI/CLI.hpp>

#include <iostream>
#include <memory>

namespace troupe {

namespace {

struct report_options {
  std::string run;
  std::string html;
  bool json = false;
};

void tell_result(const report_data& report, const std::string& path, std::size_t num_bytes) {
  std::cout << "wrote " << path << ": " << bytes_text(static_cast<double>(num_bytes))
            << "\nlimited by: " << to_string(report.found.stage) << '\n';
  for (const auto& spike : report.loss.spikes)
    std::cout << "spike: step " << spike.step << ", batch " << spike.batch << ": " << short_text(spike.value)
              << " (usual " << short_text(spike.usual) << ")\n";
}

int report_run(const report_options& options) {
  const auto trace = open_run(options.run, std::cerr);
  if (!trace)
    return trace_usage;
  auto report = collect_report(*trace, options.run);
  add_pictures(report);
  const auto page = report_page(report);
  const auto path = options.html.empty() ? options.run + "/report.html" : options.html;
  if (const auto written = write_output(path, page); !written)
    return tell(written.error(), std::cerr);
  if (options.json)
    print_json(report, std::cout);
  else
    tell_result(report, path, page.size());
  return trace_ok;
}

} // namespace

void add_trace_report(CLI::App& trace, int& exit_code) {
  auto options = std::make_shared<report_options>();
  auto* command = trace.add_subcommand("report", "One HTML page about a run: verdict, loss, timeline, slowest samples");
  command->add_option("run", options->run, "Run folder")->required();
  command->add_option("--html", options->html, "File to write (default: report.html in the run folder)");
  command->add_flag("--json", options->json, "Tell the headline numbers as JSON");
  command->callback([options, &exit_code] { exit_code = report_run(*options); });
}

} // namespace troupe
