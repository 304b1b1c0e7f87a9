#include "app/trace_tools/report/page_parts.hpp"
#include "app/trace_tools/report/svg_chart.hpp"
#include "app/trace_tools/text/trace_text.hpp"

#include <algorithm>
#include <cmath>
#include <fmt/format.h>

namespace troupe {

namespace {

constexpr double top = 26, bottom = 236, below = 266; ///< Pixels: of the plot, and the height of all.
constexpr double most_ratio = 100;                    ///< Losses that differ by more are shown as their logarithms.

/// Where steps and losses lie on the chart.
class loss_scale {
public:
  explicit loss_scale(const report_data& report) {
    const auto& points = report.loss.points;
    first_ = static_cast<double>(points.front().first_step);
    last_ = static_cast<double>(points.back().last_step);
    least_ = points.front().least;
    most_ = points.front().most;
    for (const auto& point : points)
      widen(point.least, point.most);
    for (const auto& spike : report.loss.spikes)
      if (std::isfinite(spike.value))
        widen(spike.value, spike.value);
    logarithmic_ = least_ > 0 && most_ / least_ > most_ratio;
    if (!logarithmic_ && least_ > 0 && least_ < 0.4 * most_)
      least_ = 0;
    if (most_ <= least_)
      most_ = least_ + std::max(std::abs(least_) * 0.1, 1e-6);
  }

  [[nodiscard]] double x(double step) const {
    return last_ > first_ ? std::clamp((step - first_) / (last_ - first_), 0.0, 1.0) : 0.5;
  }
  [[nodiscard]] double y(double loss) const {
    if (!std::isfinite(loss))
      return top;
    const auto share =
      logarithmic_ ? std::log(loss / least_) / std::log(most_ / least_) : (loss - least_) / (most_ - least_);
    return bottom - std::clamp(share, 0.0, 1.0) * (bottom - top);
  }
  [[nodiscard]] bool logarithmic() const noexcept { return logarithmic_; }

  [[nodiscard]] std::vector<double> loss_ticks() const {
    if (!logarithmic_)
      return nice_ticks(least_, most_, 5);
    std::vector<double> ticks;
    for (auto power = std::ceil(std::log10(least_)); power <= std::log10(most_); ++power)
      ticks.push_back(std::pow(10, power));
    return ticks;
  }
  [[nodiscard]] std::vector<double> step_ticks() const {
    auto ticks = nice_ticks(first_, last_, 6);
    std::erase_if(ticks, [](double tick) { return tick != std::floor(tick); });
    return ticks;
  }

private:
  void widen(double least, double most) {
    least_ = std::min(least_, least);
    most_ = std::max(most_, most);
  }

  double first_ = 0, last_ = 0, least_ = 0, most_ = 0;
  bool logarithmic_ = false;
};

std::string steps_text(const curve_point& point) {
  if (point.first_step == point.last_step)
    return "step " + count_text(point.first_step);
  return "steps " + count_text(point.first_step) + " to " + count_text(point.last_step);
}

std::string point_text(const curve_point& point) {
  auto text = steps_text(point) + ": loss " + short_text(point.mean);
  if (point.least < point.most)
    text += " (" + short_text(point.least) + " to " + short_text(point.most) + ")";
  return text;
}

std::string spike_text(const loss_spike& spike) {
  return "step " + std::to_string(spike.step) + ", batch " + std::to_string(spike.batch) + ": "
         + short_text(spike.value);
}

void draw_axes(const loss_scale& scale, svg_chart& chart) {
  for (const auto tick : scale.loss_ticks())
    chart.line({0, scale.y(tick)}, {1, scale.y(tick)}, "grid");
  chart.line({0, bottom}, {1, bottom}, "axis");
  const auto ticks = scale.step_ticks();
  for (const auto tick : ticks) {
    chart.line({scale.x(tick), bottom}, {scale.x(tick), bottom + 4}, "axis");
    chart.text({scale.x(tick), bottom + 26}, anchor_at(scale.x(tick)), "",
               (tick == ticks.front() ? "step " : "") + count_text(static_cast<std::uint64_t>(std::max(tick, 0.0))));
  }
}

void draw_curve(const loss_history& loss, const loss_scale& scale, svg_chart& chart) {
  std::vector<chart_point> upper, lower, middle;
  for (const auto& point : loss.points) {
    const auto x = scale.x((static_cast<double>(point.first_step) + static_cast<double>(point.last_step)) / 2);
    upper.push_back({x, scale.y(point.most)});
    lower.push_back({x, scale.y(point.least)});
    middle.push_back({x, scale.y(point.mean)});
  }
  chart.band(upper, lower, "faint");
  chart.curve(middle, "stroke");
  if (middle.size() == 1)
    chart.dot(middle.front(), 3, {"fill", "", 1});
  for (std::size_t i = 0; i < middle.size(); ++i) {
    const auto from = i == 0 ? 0 : (middle[i - 1].x + middle[i].x) / 2;
    const auto until = i + 1 == middle.size() ? 1 : (middle[i].x + middle[i + 1].x) / 2;
    chart.box({from, top, until - from, bottom - top}, {"hover", point_text(loss.points[i]), 1});
  }
}

/// The numbers beside the plot.
std::string loss_labels(const loss_scale& scale) {
  svg_chart chart(below, "Losses");
  for (const auto tick : scale.loss_ticks())
    chart.text({0, scale.y(tick) + 4}, text_anchor::start, "", short_text(tick));
  return chart.finish();
}

/// A label each, but where one would cover that of a larger spike.
void draw_spikes(const loss_history& loss, const loss_scale& scale, svg_chart& chart) {
  std::vector<chart_point> labels;
  for (const auto& spike : loss.spikes) {
    const chart_point at{scale.x(static_cast<double>(spike.step)), scale.y(spike.value)};
    chart.dot(at, 5, {"spike", spike_text(spike) + ", usual " + short_text(spike.usual), 1});
    const bool covered = std::any_of(labels.begin(), labels.end(), [&](const auto& other) {
      return std::abs(other.x - at.x) < 0.36 && std::abs(other.y - at.y) < 18;
    });
    if (covered)
      continue;
    labels.push_back(at);
    chart.text({at.x, at.y - 10}, anchor_at(at.x, 0.25), "strong halo", spike_text(spike));
  }
}

void draw_checkpoints(const report_data& report, const loss_scale& scale, svg_chart& chart) {
  for (const auto& mark : report.checkpoints) {
    auto title = "checkpoint " + std::to_string(mark.version) + " of step " + count_text(mark.step);
    if (mark.bytes > 0)
      title += ", " + bytes_text(static_cast<double>(mark.bytes));
    chart.pointer({scale.x(static_cast<double>(mark.step)), bottom + 1}, {"mark", title, 1});
  }
}

std::string loss_chart(const report_data& report, const loss_scale& scale) {
  svg_chart chart(below, "Loss by step, from " + short_text(report.loss.points.front().mean) + " to "
                           + short_text(report.loss.points.back().mean));
  draw_axes(scale, chart);
  draw_curve(report.loss, scale, chart);
  draw_checkpoints(report, scale, chart);
  draw_spikes(report.loss, scale, chart);
  return "<div class=\"plot r-trainer\">\n" + chart.finish() + loss_labels(scale) + "</div>\n";
}

/// Top-1 of the validations, on the axis of the losses.
std::string validation_chart(const report_data& report, const loss_scale& scale) {
  if (report.validations.empty())
    return {};
  constexpr double height = 84, upper = 26, lower = 74;
  const auto [worst, best] = std::minmax_element(report.validations.begin(), report.validations.end(),
                                                 [](const auto& a, const auto& b) { return a.top1 < b.top1; });
  const auto range = best->top1 - worst->top1;
  std::vector<chart_point> points;
  for (const auto& mark : report.validations)
    points.push_back({scale.x(static_cast<double>(mark.step)),
                      range > 0 ? lower - (mark.top1 - worst->top1) / range * (lower - upper) : (lower + upper) / 2});
  svg_chart chart(height, "Top-1 of the validations, best " + percent_text(best->top1));
  chart.line({0, lower}, {1, lower}, "grid");
  chart.curve(points, "stroke");
  for (std::size_t i = 0; i < points.size(); ++i)
    chart.dot(points[i], points.size() > 100 ? 2 : 4,
              {"fill",
               "validation at step " + count_text(report.validations[i].step) + ": top-1 "
                 + percent_text(report.validations[i].top1),
               1});
  const auto& at = points[static_cast<std::size_t>(best - report.validations.begin())];
  chart.text({at.x, at.y - 9}, anchor_at(at.x, 0.1), "strong halo", percent_text(best->top1));
  return "<h3>Validation, top-1</h3>\n<div class=\"plot r-validator\">\n" + chart.finish() + "</div>\n";
}

std::string legend(const report_data& report, const loss_scale& scale) {
  auto out = std::string{"<p class=\"legend r-trainer\"><span><i class=\"swatch\"></i>loss</span>"};
  const bool merged = std::any_of(report.loss.points.begin(), report.loss.points.end(),
                                  [](const auto& point) { return point.least < point.most; });
  if (merged)
    out += "<span><i class=\"swatch band\"></i>from least to most</span>";
  if (!report.loss.spikes.empty())
    out += "<span class=\"b\"><i class=\"swatch round\"></i>spike</span>";
  if (!report.checkpoints.empty())
    out += "<span class=\"r-saver\"><i class=\"swatch\"></i>checkpoint</span>";
  if (scale.logarithmic())
    out += "<span>logarithmic</span>";
  return out + "</p>\n";
}

std::string spike_table(const report_data& report) {
  if (report.loss.spikes.empty())
    return {};
  html_table out{
    "Steps whose loss stands out", 1, {{"Step", "Batch", "Loss", "Usual before it", "To see its samples"}}};
  for (const auto& spike : report.loss.spikes)
    out.rows.push_back({std::to_string(spike.step), std::to_string(spike.batch), markup_text(short_text(spike.value)),
                        markup_text(short_text(spike.usual)),
                        command_line(report, "show", "batch:" + std::to_string(spike.batch))});
  return table(out);
}

std::string loss_lead(const report_data& report) {
  if (report.loss.logged)
    return "From metrics.csv, each point the mean of several steps: the records of all steps are kept with "
           "trace.mode: full only.";
  return report.loss.spikes.empty() ? "Of every step. No step's loss stands out." : "Of every step.";
}

} // namespace

std::string loss_part(const report_data& report) {
  if (report.loss.points.empty())
    return {};
  const loss_scale scale(report);
  return section("loss", "Loss", loss_lead(report),
                 "<div class=\"panel\">\n" + loss_chart(report, scale) + legend(report, scale)
                   + validation_chart(report, scale) + "</div>\n" + spike_table(report));
}

} // namespace troupe
