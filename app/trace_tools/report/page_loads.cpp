#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <fmt/format.h>

namespace troupe {

namespace {

constexpr double bar_height = 14;
constexpr double queue_height = 56;
constexpr std::size_t bins_per_point = 2; ///< Of the queues' curves.
constexpr double least_queue = 0.2;       ///< A queue that was never longer, in the mean of a bin, is not shown.

struct bar_part {
  std::string_view css;
  std::string what;
  double share = 0;
};

std::string bar_row(std::string_view css, std::string_view name, const std::vector<bar_part>& parts,
                    std::string_view number) {
  std::string label;
  for (const auto& part : parts)
    label += (label.empty() ? "" : ", ") + part.what + ' ' + share_text(part.share);
  svg_chart chart(bar_height, std::string{name} + ": " + label);
  chart.box({0, 0, 1, bar_height}, {"track", "", 1});
  double from = 0;
  for (const auto& part : parts) {
    const auto width = std::clamp(part.share, 0.0, 1 - from);
    if (width > 0 && !part.css.empty())
      chart.box({from, 0, width, bar_height}, {part.css, part.what + ": " + share_text(part.share), 1});
    from += width;
  }
  return fmt::format("<div class=\"bar {}\"><span class=\"name\">{}</span>{}<span class=\"num\">{}</span></div>\n", css,
                     markup_text(name), chart.finish(), markup_text(number));
}

std::vector<bar_part> trainer_parts(const trainer_time& time) {
  const auto other = 1 - time.trains - time.waits_for_batch - time.waits_for_validator;
  return {{"fill", "trains", time.trains},
          {"wait", "waits for batches", time.waits_for_batch},
          {"fill r-validator", "waits for the validator", time.waits_for_validator},
          {"", "other", std::max(other, 0.0)}};
}

bool is_known(const trainer_time& time) {
  return time.trains + time.waits_for_batch + time.waits_for_validator > 0;
}

std::string trainer_legend(const trainer_time& time) {
  std::string out = "<p class=\"legend r-trainer\"><b>Trainer:</b>";
  for (const auto& part : trainer_parts(time))
    out += fmt::format("<span class=\"{}\">{}{} {}</span>",
                       part.css == "wait"                 ? "w"
                       : part.what.ends_with("validator") ? "r-validator"
                                                          : "",
                       part.css.empty() ? "" : "<i class=\"swatch\"></i>", markup_text(part.what),
                       markup_text(share_text(part.share)));
  return out + "</p>\n";
}

/// Mean depths, a point for every few bins.
std::vector<double> queue_points(const actor_lane& lane) {
  std::vector<double> points;
  for (std::size_t i = 0; i + bins_per_point <= lane.queue_bins.size(); i += bins_per_point) {
    double sum = 0;
    for (std::size_t j = 0; j < bins_per_point; ++j)
      sum += lane.queue_bins[i + j];
    points.push_back(sum / bins_per_point);
  }
  return points;
}

std::string queue_chart(const report_data& report, const actor_lane& lane, const std::vector<double>& points,
                        double most) {
  svg_chart chart(queue_height, "Messages that wait for " + lane.actor + ", at most " + short_text(most));
  std::vector<chart_point> curve, ground;
  const auto count = static_cast<double>(points.size());
  for (std::size_t i = 0; i < points.size(); ++i) {
    const auto x = (static_cast<double>(i) + 0.5) / count;
    curve.push_back({x, queue_height - 1 - points[i] / most * (queue_height - 4)});
    ground.push_back({x, queue_height - 1});
  }
  chart.band(curve, ground, "faint");
  chart.curve(curve, "stroke");
  draw_unknown(report, lane, queue_height, chart);
  chart.line({0, queue_height - 0.5}, {1, queue_height - 0.5}, "ground");
  for (std::size_t i = 0; i < points.size(); ++i)
    chart.box({static_cast<double>(i) / count, 0, 1 / count, queue_height},
              {"hover",
               seconds_text(report.axis_begin + static_cast<double>(i) / count * report.axis_seconds) + ": "
                 + fixed_text(points[i], 2) + " waiting",
               1});
  return chart.finish();
}

std::string queue_figure(const report_data& report, const actor_lane& lane, const std::vector<double>& points) {
  const auto most = *std::max_element(points.begin(), points.end());
  return fmt::format(
    "<figure class=\"{}\"><figcaption><span>{}</span><span class=\"num\">up to {}</span></figcaption>\n"
    "{}</figure>\n",
    role_class(lane.actor), markup_text(lane.actor), markup_text(fixed_text(most, most < 10 ? 1 : 0)),
    queue_chart(report, lane, points, most));
}

} // namespace

std::string stages_part(const report_data& report) {
  if (report.stages.empty())
    return {};
  std::string bars;
  for (const auto& stage : report.stages) {
    const auto name = stage.num_actors > 1 ? stage.stage + " (" + count_text(stage.num_actors) + ")" : stage.stage;
    if (stage.stage == "trainer" && is_known(report.trainer))
      bars += bar_row(role_class(stage.stage), name, trainer_parts(report.trainer), share_text(stage.busy));
    else
      bars +=
        bar_row(role_class(stage.stage), name,
                {{"fill", "busy", stage.busy}, {"", "idle", 1 - std::min(stage.busy, 1.0)}}, share_text(stage.busy));
  }
  return section("stages", "Where the time went",
                 "Share of the whole run, " + seconds_text(report.summary.seconds)
                   + ", that each stage was busy; of stages with several actors, the mean of them.",
                 "<div class=\"panel\">\n" + bars + (is_known(report.trainer) ? trainer_legend(report.trainer) : "")
                   + "</div>\n");
}

std::string queues_part(const report_data& report) {
  std::string figures, quiet;
  for (const auto& lane : report.lanes) {
    const auto points = queue_points(lane);
    if (points.empty() || *std::max_element(points.begin(), points.end()) < least_queue)
      quiet += (quiet.empty() ? "" : ", ") + lane.actor;
    else
      figures += queue_figure(report, lane, points);
  }
  if (figures.empty())
    return {};
  if (!quiet.empty())
    quiet = "<p class=\"lead\">" + markup_text("Hardly ever a message waited for " + quiet + ".") + "</p>\n";
  return section("queues", "Queues",
                 "Messages that wait for each actor, over the same time as above, each on its own scale. A queue that "
                 "stays full stands before the stage that limits.",
                 "<div class=\"panel queues\">\n" + figures + "</div>\n" + quiet);
}

} // namespace troupe
