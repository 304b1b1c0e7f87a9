#include "app/trace_tools/report/svg_chart.hpp"

#include "actors/support/figures.hpp"
#include "app/trace_tools/export/text_forms.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <fmt/format.h>
#include <iterator>

namespace troupe {

namespace {

/// The width that paths are drawn in, before they are stretched.
constexpr double path_width = 1000;

std::string percent(double share) {
  return coordinate(share * 100) + '%';
}

std::string path_point(chart_point point) {
  return coordinate(point.x * path_width) + ' ' + coordinate(point.y);
}

std::string title_element(std::string_view title) {
  return title.empty() ? "" : "<title>" + markup_text(title) + "</title>";
}

std::string opacity_attribute(double opacity) {
  return opacity < 1 ? " fill-opacity=\"" + coordinate(opacity) + '"' : "";
}

std::vector<double> multiples(double step, double least, double most) {
  std::vector<double> result;
  for (auto i = std::ceil(least / step - 1e-9); i * step <= most + step * 1e-9 && result.size() < 100; ++i)
    result.push_back(i * step + 0.0); // Never -0.
  return result;
}

} // namespace

std::string markup_text(std::string_view text) {
  std::string result;
  for (const char c : printable(utf8_text(text)))
    switch (c) {
    case '&':
      result += "&amp;";
      break;
    case '<':
      result += "&lt;";
      break;
    case '>':
      result += "&gt;";
      break;
    case '"':
      result += "&quot;";
      break;
    case '\'':
      result += "&#39;";
      break;
    default:
      result += c;
    }
  return result;
}

std::string coordinate(double value) {
  auto text = fmt::format("{:.3f}", std::isfinite(value) ? value : 0);
  text.erase(text.find_last_not_of('0') + 1);
  if (text.back() == '.')
    text.pop_back();
  return text == "-0" ? "0" : text;
}

std::vector<double> nice_ticks(double least, double most, std::size_t count) {
  if (!(most > least) || !std::isfinite(most - least))
    return {};
  const auto rough = (most - least) / static_cast<double>(std::max<std::size_t>(count, 1));
  const auto power = std::pow(10, std::floor(std::log10(rough)));
  const auto digit = rough / power;
  return multiples(power * (digit <= 1 ? 1 : digit <= 2 ? 2 : digit <= 5 ? 5 : 10), least, most);
}

std::vector<double> time_ticks(double from, double until, std::size_t count) {
  static constexpr std::array<double, 14> steps = {60,   120,   300,   600,   900,   1800,   3600,
                                                   7200, 14400, 21600, 43200, 86400, 172800, 604800};
  if (until - from <= 120)
    return nice_ticks(from, until, count);
  for (const auto step : steps)
    if ((until - from) / step <= static_cast<double>(count))
      return multiples(step, from, until);
  return nice_ticks(from, until, count);
}

std::string tick_time_text(double seconds, double step) {
  if (seconds == 0)
    return "0";
  if (step >= 60)
    return duration_text(seconds);
  const auto decimals = std::max(0, static_cast<int>(std::ceil(-std::log10(step) - 1e-9)));
  return fixed_text(seconds, decimals) + " s";
}

text_anchor anchor_at(double x, double half) noexcept {
  return x < half ? text_anchor::start : x > 1 - half ? text_anchor::end : text_anchor::middle;
}

svg_chart::svg_chart(double height, std::string_view label, std::string_view css) : height_(height) {
  out_ = fmt::format(R"(<svg class="chart {}" width="100%" height="{}" role="img" aria-label="{}">)", css,
                     coordinate(height), markup_text(label));
}

void svg_chart::box(const chart_box& place, const chart_look& look) {
  fmt::format_to(std::back_inserter(out_), R"(<rect class="{}" x="{}" y="{}" width="{}" height="{}"{}>{}</rect>)",
                 look.css, percent(place.x), coordinate(place.y), percent(place.width), coordinate(place.height),
                 opacity_attribute(look.opacity), title_element(look.title));
}

void svg_chart::line(chart_point from, chart_point to, std::string_view css) {
  fmt::format_to(std::back_inserter(out_), R"(<line class="{}" x1="{}" y1="{}" x2="{}" y2="{}"/>)", css,
                 percent(from.x), coordinate(from.y), percent(to.x), coordinate(to.y));
}

void svg_chart::dot(chart_point at, double radius, const chart_look& look) {
  fmt::format_to(std::back_inserter(out_), R"(<circle class="{}" cx="{}" cy="{}" r="{}"{}>{}</circle>)", look.css,
                 percent(at.x), coordinate(at.y), coordinate(radius), opacity_attribute(look.opacity),
                 title_element(look.title));
}

void svg_chart::pointer(chart_point at, const chart_look& look) {
  fmt::format_to(std::back_inserter(out_),
                 R"(<svg x="{}" y="{}" overflow="visible"><path class="{}" d="M0 0l-5 9h10z">{}</path></svg>)",
                 percent(at.x), coordinate(at.y), look.css, title_element(look.title));
}

void svg_chart::text(chart_point at, text_anchor anchor, std::string_view css, std::string_view text) {
  static constexpr std::array<std::string_view, 3> anchors = {"start", "middle", "end"};
  fmt::format_to(std::back_inserter(out_), R"(<text class="{}" x="{}" y="{}" text-anchor="{}">{}</text>)", css,
                 percent(at.x), coordinate(at.y), anchors[static_cast<std::size_t>(anchor)], markup_text(text));
}

void svg_chart::path(const std::string& data, std::string_view css) {
  fmt::format_to(std::back_inserter(out_),
                 R"(<svg width="100%" height="{0}" viewBox="0 0 {1} {0}" preserveAspectRatio="none">)"
                 R"(<path class="{2}" vector-effect="non-scaling-stroke" d="{3}"/></svg>)",
                 coordinate(height_), path_width, css, data);
}

void svg_chart::curve(std::span<const chart_point> points, std::string_view css) {
  std::string data;
  for (const auto& point : points)
    data += (data.empty() ? 'M' : 'L') + path_point(point);
  path(data, css);
}

void svg_chart::band(std::span<const chart_point> upper, std::span<const chart_point> lower, std::string_view css) {
  std::string data;
  for (const auto& point : upper)
    data += (data.empty() ? 'M' : 'L') + path_point(point);
  for (auto point = lower.rbegin(); point != lower.rend(); ++point)
    data += 'L' + path_point(*point);
  path(data + (data.empty() ? "" : "z"), css);
}

std::string svg_chart::finish() {
  return std::move(out_) + "</svg>\n";
}

} // namespace troupe
