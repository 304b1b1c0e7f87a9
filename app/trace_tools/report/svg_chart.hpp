/// Charts as SVG that is as wide as its place on the page, with text that is not stretched.
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Text as HTML and XML have it, in attributes too: UTF-8, on one line, nothing in it means anything.
[[nodiscard]] std::string markup_text(std::string_view text);

/// A coordinate: at most three decimals.
[[nodiscard]] std::string coordinate(double value);

/// About `count` round numbers (1, 2 or 5 times a power of ten apart) from `least` to `most`.
[[nodiscard]] std::vector<double> nice_ticks(double least, double most, std::size_t count);

/// The same for seconds: multiples of what clocks show.
[[nodiscard]] std::vector<double> time_ticks(double from, double until, std::size_t count);

/// "0", "12.5 s", "3:20"; `step` is the distance of the ticks.
[[nodiscard]] std::string tick_time_text(double seconds, double step);

enum class text_anchor : unsigned char { start, middle, end };

/// Where a text at `x` (0..1) stands so that it stays on the chart; `half` is half of its width.
[[nodiscard]] text_anchor anchor_at(double x, double half = 0.06) noexcept;

struct chart_point {
  double x = 0; ///< 0..1, from left to right.
  double y = 0; ///< Pixels from the top.
};

struct chart_box {
  double x = 0; ///< 0..1, as the width.
  double y = 0; ///< Pixels, as the height.
  double width = 0;
  double height = 0;
};

/// How a shape looks and what it tells: classes of the style sheet, the text that is shown when it is pointed at.
struct chart_look {
  std::string_view css;
  std::string_view title; ///< Empty: none.
  double opacity = 1;
};

/// An SVG element in the making. Texts are escaped here.
class svg_chart {
public:
  /// @param height Pixels. `label` is what the chart is for those who cannot see it.
  svg_chart(double height, std::string_view label, std::string_view css = "");

  void box(const chart_box& place, const chart_look& look);
  void line(chart_point from, chart_point to, std::string_view css);
  void dot(chart_point at, double radius, const chart_look& look);
  /// A triangle that stands on `at`.
  void pointer(chart_point at, const chart_look& look);
  void text(chart_point at, text_anchor anchor, std::string_view css, std::string_view text);
  void curve(std::span<const chart_point> points, std::string_view css);
  /// What lies between two curves of as many points.
  void band(std::span<const chart_point> upper, std::span<const chart_point> lower, std::string_view css);

  /// The element; nothing may be added to it any more.
  [[nodiscard]] std::string finish();

private:
  void path(const std::string& data, std::string_view css);

  double height_;
  std::string out_;
};

} // namespace troupe
