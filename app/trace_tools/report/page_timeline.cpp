#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace troupe {

namespace {

constexpr double lane_height = 16;
constexpr int num_levels = 20; ///< Of the heat: neighbouring bins of one level are drawn as one.

/// A moment of the axis, as fine as its bins.
std::string axis_time(const report_data& report, double seconds) {
  return tick_time_text(report.axis_begin + seconds, std::max(report.axis_seconds / num_report_bins, 1e-9));
}

int level_of(double share) {
  return share <= 0 ? 0 : std::clamp(static_cast<int>(std::ceil(share * num_levels)), 1, num_levels);
}

struct heat {
  std::string css;  ///< Of what is drawn.
  std::string what; ///< "busy"
};

/// One rectangle for each run of bins with the same level; darker is more.
void draw_heat(const report_data& report, const std::vector<double>& bins, const heat& how, svg_chart& chart) {
  const auto count = static_cast<double>(bins.size());
  for (std::size_t from = 0, until = 0; from < bins.size(); from = until) {
    const auto level = level_of(bins[from]);
    double sum = 0;
    for (until = from; until < bins.size() && level_of(bins[until]) == level; ++until)
      sum += bins[until];
    if (level == 0)
      continue;
    const auto begin = static_cast<double>(from) / count, end = static_cast<double>(until) / count;
    const auto title = axis_time(report, begin * report.axis_seconds) + " to "
                       + axis_time(report, end * report.axis_seconds) + ": " + how.what + ' '
                       + share_text(std::min(sum / static_cast<double>(until - from), 1.0));
    chart.box({begin, 0, end - begin, lane_height}, {how.css, title, 0.05 + 0.95 * level / num_levels});
  }
}

void draw_borders(const report_data& report, double height, svg_chart& chart) {
  for (std::size_t i = 1; i < report.stretches.size(); ++i) {
    const auto x = report.stretches[i].offset / report.axis_seconds;
    chart.line({x, -4}, {x, height + 4}, "border");
  }
}

std::string lane_row(std::string_view css, std::string_view name, std::string chart, std::string_view number) {
  return fmt::format("<div class=\"lane {0}\"><span class=\"name\" title=\"{1}\">{1}</span>{2}<span class=\"num\">{3}"
                     "</span></div>\n",
                     css, markup_text(name), std::move(chart), markup_text(number));
}

std::string lane_name(const actor_lane& lane) {
  return lane.num_actors > 1 ? lane.actor + " (" + count_text(lane.num_actors) + ")" : lane.actor;
}

std::string busy_lane(const report_data& report, const actor_lane& lane) {
  svg_chart chart(lane_height, lane_name(lane) + ": busy " + share_text(lane.busy) + " of the run");
  chart.box({0, 0, 1, lane_height}, {"track", "", 1});
  draw_unknown(report, lane, lane_height, chart);
  draw_heat(report, lane.busy_bins, {"fill", "busy"}, chart);
  draw_borders(report, lane_height, chart);
  return lane_row(role_class(lane.actor), lane_name(lane), chart.finish(), share_text(lane.busy));
}

struct wait_kind {
  heat how;
  double share = 0; ///< Of the run.
};

/// What `trainer` waited for, if it ever did.
std::string wait_lane(const report_data& report, const actor_lane& trainer, const std::vector<double>& bins,
                      const wait_kind& wait) {
  if (std::all_of(bins.begin(), bins.end(), [](double bin) { return bin <= 0; }))
    return {};
  svg_chart chart(lane_height, "trainer " + wait.how.what + ' ' + share_text(wait.share) + " of the run");
  chart.box({0, 0, 1, lane_height}, {"track", "", 1});
  draw_unknown(report, trainer, lane_height, chart);
  draw_heat(report, bins, wait.how, chart);
  draw_borders(report, lane_height, chart);
  return lane_row("sub", wait.how.what, chart.finish(), share_text(wait.share));
}

std::string phase_lane(const report_data& report) {
  if (report.phases.empty())
    return {};
  svg_chart chart(lane_height + 2, "Phases of the run");
  bool even = false;
  for (const auto& phase : report.phases) {
    const auto begin = phase.from / report.axis_seconds, width = (phase.until - phase.from) / report.axis_seconds;
    chart.box({begin, 0, width, lane_height + 2},
              {"phase", phase.name + ": " + seconds_text(phase.until - phase.from), (even = !even) ? 0.22 : 0.4});
    if (width > 0.1)
      chart.text({begin + width / 2, 13}, text_anchor::middle, "strong phase-name", phase.name);
  }
  return lane_row("plain r-supervisor", "phase of the run", chart.finish(), "");
}

std::string time_lane(const report_data& report) {
  svg_chart chart(26, "Time");
  const auto ticks = time_ticks(report.axis_begin, report.axis_begin + report.axis_seconds, 7);
  const auto step = ticks.size() > 1 ? ticks[1] - ticks[0] : report.axis_seconds;
  chart.line({0, 4}, {1, 4}, "axis");
  for (const auto tick : ticks) {
    const auto x = std::clamp((tick - report.axis_begin) / report.axis_seconds, 0.0, 1.0);
    chart.line({x, 4}, {x, 8}, "axis");
    chart.text({x, 22}, anchor_at(x), "", tick_time_text(tick, step));
  }
  return lane_row("plain", "", chart.finish(), "");
}

std::string timeline_note(const report_data& report) {
  if (report.complete)
    return {};
  double known = 0;
  bool cut = false;
  for (const auto& stretch : report.stretches) {
    known += stretch.seconds();
    cut |= !stretch.complete && stretch.process->full;
  }
  return "<p class=\"note\">"
         + markup_text("Shown are the newest " + seconds_text(known) + " of " + seconds_text(report.summary.seconds)
                       + (cut ? ": the oldest records went with trace.max_size; set a larger one."
                              : ": only the newest records are kept with trace.mode: flight; set trace.mode: full to "
                                "keep all. Hatched: not known.")
                       + " The shares on the right are of the whole run.")
         + "</p>\n";
}

std::string timeline_lead(const report_data& report) {
  std::string lead = "The darker, the busier: share of the time that an actor handled messages. On the right: of the "
                     "whole run.";
  if (report.stretches.size() > 1)
    lead += " The run was resumed: dashed lines are where the next process begins; the time between is left out.";
  return lead;
}

} // namespace

void draw_unknown(const report_data& report, const actor_lane& lane, double height, svg_chart& chart) {
  for (const auto& [from, until] : lane.unknown)
    chart.box({from / report.axis_seconds, 0, (until - from) / report.axis_seconds, height},
              {"unknown", "the records of this time are gone", 1});
}

std::string timeline_part(const report_data& report) {
  if (report.lanes.empty() || report.axis_seconds <= 0)
    return {};
  std::string lanes = phase_lane(report);
  for (const auto& lane : report.lanes) {
    lanes += busy_lane(report, lane);
    if (lane.actor != "trainer")
      continue;
    lanes +=
      wait_lane(report, lane, report.batch_wait_bins, {{"wait", "waits for batches"}, report.trainer.waits_for_batch});
    lanes += wait_lane(report, lane, report.validator_wait_bins,
                       {{"fill r-validator", "waits for validator"}, report.trainer.waits_for_validator});
  }
  return section("timeline", "Timeline", timeline_lead(report),
                 timeline_note(report) + "<div class=\"panel\">\n" + lanes + time_lane(report) + "</div>\n");
}

} // namespace troupe
