#include "app/trace_tools/report/report_page.hpp"

#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <nlohmann/json.hpp>
#include <string_view>

namespace troupe {

namespace {

/// What fills times of which nothing is known.
constexpr std::string_view hatching =
  R"svg(<svg width="0" height="0" style="position:absolute" aria-hidden="true"><defs>
<pattern id="gap" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
<rect class="gap" width="2" height="6"/></pattern></defs></svg>
)svg";

} // namespace

std::string report_page(const report_data& report) {
  std::string page = "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\"/>\n"
                     "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
                     "<meta name=\"color-scheme\" content=\"light dark\"/>\n<title>"
                     + markup_text(report.files.name) + " - troupe run report</title>\n<style>\n";
  page += page_style();
  page += "</style>\n</head>\n<body>\n";
  page += hatching;
  page += "<main>\n";
  for (auto* const part : {header_part, verdict_part, tiles_part, loss_part, timeline_part, stages_part, queues_part,
                           samples_part, messages_part, troubles_part, footer_part})
    page += part(report);
  page += "</main>\n<script>\n";
  page += page_script();
  return page + "</script>\n</body>\n</html>\n";
}

void print_json(const report_data& report, std::ostream& out) {
  nlohmann::ordered_json result = {{"run", report.files.name},
                                   {"status", status_of(report)},
                                   {"limited_by", to_string(report.found.stage)},
                                   {"steps", steps_of(report)},
                                   {"seconds", report.summary.seconds},
                                   {"complete", report.complete},
                                   {"recorded", report.summary.trace->recorded()},
                                   {"dropped", report.summary.trace->dropped()},
                                   {"checkpoints", report.num_checkpoints},
                                   {"spikes", nlohmann::ordered_json::array()}};
  for (const auto& spike : report.loss.spikes)
    result["spikes"].push_back(
      {{"step", spike.step}, {"batch", spike.batch}, {"loss", spike.value}, {"usual", spike.usual}});
  print_json(result, out);
}

} // namespace troupe
