#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/sample_pictures.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace troupe {

namespace {

constexpr std::size_t small_picture = 12'000; ///< Bytes of a PNG that shows its pixels rather than a blur.

std::uint64_t duration_of(const recorded_sample& sample) {
  return static_cast<std::uint64_t>(std::max<std::int64_t>(sample.ended_ns - sample.begun_ns, 0));
}

std::string picture(const slow_sample& from) {
  if (from.png.empty())
    return "<div class=\"empty\">" + markup_text(from.problem.empty() ? "no picture" : from.problem) + "</div>";
  return fmt::format("<img class=\"{}\" alt=\"sample {}\" src=\"data:image/png;base64,{}\"/>",
                     from.png.size() < small_picture ? "small" : "", from.sample.sample, base64_text(from.png));
}

std::string sample_figure(const slow_sample& from) {
  const auto& sample = from.sample;
  auto out = "<figure>" + picture(from) + "<figcaption><b>" + markup_text(time_text(duration_of(sample))) + "</b>";
  if (!from.label.empty())
    out += markup_text(from.label) + "<br/>";
  if (!from.name.empty())
    out += fmt::format("<span class=\"path\" title=\"{0}\"><bdi>{0}</bdi></span>", markup_text(from.name));
  return out
         + markup_text("sample " + std::to_string(sample.sample) + ", " + bytes_text(static_cast<double>(sample.bytes))
                       + (sample.bad ? ", bad" : ""))
         + "<br/>"
         + markup_text((from.in_validation ? "validation batch " : "batch ") + std::to_string(sample.batch) + ", epoch "
                       + std::to_string(sample.epoch + 1))
         + "<br/>" + markup_text(from.augmenter + " at " + seconds_text(from.at)) + "</figcaption></figure>\n";
}

/// "batch 12, step 13"
std::string ids_text(const trace_ids& ids) {
  std::string text;
  const auto add = [&](const char* what, std::uint64_t id) {
    if (id != no_id)
      text += (text.empty() ? "" : ", ") + std::string{what} + ' ' + std::to_string(id);
  };
  add("sample", ids.sample);
  add("batch", ids.batch);
  add("step", ids.step);
  add("version", ids.version);
  return text;
}

std::string usual_text(const slow_message& message) {
  if (message.usual_ns == 0)
    return "-";
  const auto ratio = static_cast<double>(message.handling_ns) / static_cast<double>(message.usual_ns);
  return fixed_text(ratio, ratio < 10 ? 1 : 0) + " x";
}

std::string lost_table(const report_data& report) {
  if (report.lost.empty())
    return "<p class=\"lead\">Every message that was taken up was handled.</p>\n";
  html_table out{"Messages that were not handled. Those of an actor that ends are never handled: that is no fault when "
                 "a run ends.",
                 3,
                 {{"Actor", "Message", "What became of it", "Count"}}};
  for (const auto& row : report.lost) {
    auto outcome = row.outcome;
    std::replace(outcome.begin(), outcome.end(), '_', ' ');
    out.rows.push_back({markup_text(row.actor), markup_text(row.type), markup_text(outcome), count_text(row.count)});
  }
  return table(out);
}

std::string bad_table(const run_files& files) {
  if (files.num_bad == 0)
    return {};
  html_table out{"Samples that could not be made: " + count_text(files.num_bad)
                   + (files.num_bad > files.bad.size() ? "; the first of bad_samples.csv" : ""),
                 4,
                 {{"Sample", "Epoch", "Stage", "Reason"}}};
  for (const auto& row : files.bad)
    out.rows.push_back({markup_text(row.sample), markup_text(row.epoch), markup_text(row.stage),
                        "<div class=\"wrap\">" + markup_text(row.reason) + "</div>"});
  return table(out);
}

std::string problem_notes(const report_data& report) {
  std::string out;
  for (const auto* problems : {&report.summary.trace->problems, &report.files.problems})
    for (const auto& problem : *problems)
      out += "<p class=\"note\">" + markup_text(problem) + "</p>\n";
  return out;
}

std::string process_table(const report_data& report) {
  html_table out{
    "Processes of the run", 5, {{"Process", "Host", "PID", "Ended", "Kept", "Time", "Recorded", "Dropped", "Cut"}}};
  for (const auto& process : report.summary.trace->processes)
    out.rows.push_back({markup_text(process.id), markup_text(process.host), std::to_string(process.pid),
                        to_string(process.state), process.full ? "all records" : "newest records",
                        markup_text(seconds_text(process.seconds())), count_text(process.recorded),
                        count_text(process.dropped), count_text(process.cut)});
  return out.rows.size() > 1 ? table(out) : std::string{};
}

} // namespace

std::string samples_part(const report_data& report) {
  if (report.slow_samples.empty())
    return {};
  std::string out;
  if (!report.no_pictures.empty())
    out =
      "<p class=\"note\">" + markup_text("No pictures, the data cannot be opened: " + report.no_pictures) + "</p>\n";
  out += "<div class=\"samples\">\n";
  for (const auto& sample : report.slow_samples)
    out += sample_figure(sample);
  return section("samples", "Slowest samples",
                 "Time that an augmenter took to make one sample, from its encoded bytes. The pictures are what the "
                 "network saw, made again.",
                 out + "</div>\n");
}

std::string messages_part(const report_data& report) {
  if (report.slow_messages.empty())
    return {};
  html_table out{"Of one type to one actor the slowest three at most; among the records that are there",
                 3,
                 {{"Message", "Actor", "About", "Took", "Against median", "Waited before", "At"}}};
  for (const auto& message : report.slow_messages)
    out.rows.push_back({fmt::format("<span title=\"message {}\">{}</span>", message.id, markup_text(message.type)),
                        markup_text(message.actor), markup_text(ids_text(message.ids)), time_text(message.handling_ns),
                        usual_text(message), time_text(message.wait_ns), seconds_text(message.at)});
  return section("messages", "Slowest messages", "", table(out));
}

std::string troubles_part(const report_data& report) {
  return section("troubles", "Errors and bad samples", "",
                 problem_notes(report) + lost_table(report) + bad_table(report.files));
}

std::string footer_part(const report_data& report) {
  std::string maker = "Made by troupe trace report";
  if (const auto& outcome = report.files.outcome; outcome && !outcome->version.empty())
    maker += " of a run of troupe " + outcome->version + (outcome->git.empty() ? "" : " (" + outcome->git + ")");
  const auto& trace = *report.summary.trace;
  std::uint64_t cut = 0;
  for (const auto& process : trace.processes)
    cut += process.cut;
  return "<footer>\n" + process_table(report) + "<p>"
         + markup_text(maker + ". Recorded " + count_text(trace.recorded()) + ", dropped " + count_text(trace.dropped())
                       + ", cut " + count_text(cut) + ".")
         + "</p>\n</footer>\n";
}

} // namespace troupe
