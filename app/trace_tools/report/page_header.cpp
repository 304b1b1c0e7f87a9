#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace troupe {

namespace {

/// "1 Dec 2026, 04:51 UTC"
std::string moment_text(std::int64_t realtime_ns) {
  const auto text = utc_text(realtime_ns, "%e %b %Y, %H:%M UTC");
  return text.substr(text.find_first_not_of(' '));
}

std::string long_time_text(double seconds) {
  return seconds < 120 ? seconds_text(seconds) : duration_text(seconds);
}

std::string status_class(const std::string& status) {
  if (status == "done" || status == "finished")
    return "status good";
  return status == "died" || status == "failed" ? "status bad" : "status";
}

std::string_view headline(limiting_stage stage) {
  switch (stage) {
  case limiting_stage::trainer:
    return "The training step itself sets the pace.";
  case limiting_stage::reading:
    return "Reading the data sets the pace.";
  case limiting_stage::augmenting:
    return "Augmenting the samples sets the pace.";
  case limiting_stage::staging:
    return "A plugin's stage sets the pace.";
  case limiting_stage::collating:
    return "Collating the batches sets the pace.";
  case limiting_stage::validating:
    return "Validation holds the run up.";
  case limiting_stage::saving:
    return "Saving checkpoints holds the run up.";
  case limiting_stage::logging:
    return "Logging holds the run up.";
  case limiting_stage::prefetch:
    return "Delays between the stages hold the run up.";
  case limiting_stage::undecided:
    break;
  }
  return "Too little was recorded to say what limits the run.";
}

std::string_view stage_actor(limiting_stage stage) {
  switch (stage) {
  case limiting_stage::trainer:
    return "trainer";
  case limiting_stage::reading:
    return "loader";
  case limiting_stage::augmenting:
    return "augmenter";
  case limiting_stage::staging:
    return "stage";
  case limiting_stage::collating:
    return "collator";
  case limiting_stage::validating:
    return "validator";
  case limiting_stage::saving:
    return "saver";
  case limiting_stage::logging:
  case limiting_stage::prefetch:
  case limiting_stage::undecided:
    break;
  }
  return "logger";
}

/// What a process said or died of, if it did not end in order.
std::string end_text(const recorded_process& process) {
  std::string text;
  if (process.fatal_signal != 0)
    text = killed_text(process.fatal_signal);
  if (!process.last_words.empty())
    text += (text.empty() ? "" : ": ") + process.last_words;
  return text;
}

std::string step_numbers(const verdict& found) {
  if (found.num_steps == 0)
    return {};
  auto out =
    "<div class=\"steps\"><b>" + markup_text(seconds_text(found.step_seconds)) + "</b><span>per step now</span>";
  if (found.expected_step_seconds < found.step_seconds)
    out += "<b>&#8594; " + markup_text(seconds_text(found.expected_step_seconds)) + "</b><span>"
           + (found.at_best ? "at best" : "expected") + "</span>";
  return out + "</div>\n";
}

struct tile {
  std::string label, number, note;
};

std::string html_of(const tile& from) {
  return "<div class=\"tile\"><dt>" + markup_text(from.label) + "</dt><dd>" + markup_text(from.number) + "<small>"
         + markup_text(from.note) + "</small></dd></div>\n";
}

tile checkpoint_tile(const report_data& report) {
  std::string note = "durable";
  if (const auto& outcome = report.files.outcome) {
    note += outcome->superseded > 0 ? ", " + count_text(outcome->superseded) + " superseded" : "";
    note += outcome->failed > 0 ? ", " + count_text(outcome->failed) + " failed" : "";
  }
  return {"Checkpoints", count_text(report.num_checkpoints), note};
}

tile speed_tile(const report_data& report) {
  const auto& outcome = report.files.outcome;
  if (!outcome)
    return {"Samples/s", "?", "known when the run ends"};
  return {"Samples/s", count_text(static_cast<std::uint64_t>(outcome->samples_per_second + 0.5)),
          count_text(outcome->samples) + " samples"};
}

tile loss_tile(const report_data& report) {
  if (report.validations.empty())
    return {"Last loss", report.loss.points.empty() ? "?" : fixed_text(report.loss.points.back().mean, 4), "training"};
  const auto best = std::max_element(report.validations.begin(), report.validations.end(),
                                     [](const auto& a, const auto& b) { return a.top1 < b.top1; });
  return {"Best top-1", percent_text(best->top1), "at step " + count_text(best->step)};
}

} // namespace

std::string header_part(const report_data& report) {
  const auto& processes = report.summary.trace->processes;
  const auto status = status_of(report);
  auto out = "<header>\n<p class=\"eyebrow\">Troupe run report</p>\n<h1>" + markup_text(report.files.name)
             + "</h1>\n<div class=\"meta\"><span class=\"" + status_class(status) + "\">" + markup_text(status)
             + "</span>";
  if (!processes.empty())
    out += "<span>" + markup_text(moment_text(processes.front().realtime_ns)) + "</span><span>"
           + markup_text(long_time_text(report.summary.seconds)) + "</span><span>on "
           + markup_text(processes.front().host) + "</span>";
  if (processes.size() > 1)
    out += "<span>" + count_text(processes.size()) + " processes: it was resumed</span>";
  out += "</div>\n";
  for (const auto& process : processes)
    if (const auto end = end_text(process); !end.empty())
      out += "<p class=\"note\">" + markup_text("process " + process.id + ": " + end) + "</p>\n";
  if (report.files.outcome && !report.files.outcome->reason.empty())
    out += "<p class=\"note\">" + markup_text(report.files.outcome->reason) + "</p>\n";
  return out + "</header>\n";
}

std::string verdict_part(const report_data& report) {
  const auto& found = report.found;
  auto out = fmt::format("<div class=\"verdict {}\">\n<p class=\"eyebrow\">Limited by: {}</p>\n<h2>{}</h2>\n",
                         role_class(stage_actor(found.stage)), markup_text(to_string(found.stage)),
                         markup_text(headline(found.stage)));
  out += "<p>" + markup_text(found.finding) + "</p>\n";
  if (!found.advice.empty())
    out += "<p><strong>What would help:</strong> " + markup_text(found.advice) + "</p>\n";
  return out + step_numbers(found) + "</div>\n";
}

std::string tiles_part(const report_data& report) {
  const auto& trace = *report.summary.trace;
  const auto steps = steps_of(report);
  std::string out = "<dl class=\"tiles\">\n";
  out += html_of({"Steps", count_text(steps),
                  report.found.num_steps > 0 ? seconds_text(report.found.step_seconds) + " each" : "none was done"});
  out += html_of(speed_tile(report));
  out += html_of({"Data wait", share_text(report.found.data_wait), "of the time in training"});
  out += html_of(loss_tile(report));
  out += html_of(checkpoint_tile(report));
  out += html_of({"Recorded", count_text(trace.recorded()), count_text(trace.dropped()) + " dropped"});
  return out + "</dl>\n";
}

} // namespace troupe
