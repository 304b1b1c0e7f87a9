#include "actors/support/imaging/confusion_image.hpp"

#include "actors/support/imaging/caption.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace troupe {

namespace {

using colour = cv::Scalar; // blue, green, red

const colour white(255, 255, 255);
const colour ink(51, 43, 38);
const colour empty_row(236, 236, 236);

// Hits run from pale to deep blue, misses from pale to deep red.
const colour pale_hit(251, 243, 234), deep_hit(130, 65, 8);
const colour pale_miss(240, 245, 255), deep_miss(20, 20, 165);

constexpr double font_scale = 0.42;
constexpr int text_height = 10;
constexpr int gap = 8;
constexpr int bar_width = 14;

int text_width(const std::string& text) {
  return caption_width(text, font_scale);
}

/// Draws with the middle of the text's left end at `at`.
void put_text(cv::Mat& image, const std::string& text, cv::Point at, const colour& how) {
  cv::putText(image, text, {at.x, at.y + text_height / 2 - 1}, caption_font, font_scale, how, 1, cv::LINE_AA);
}

void put_centred(cv::Mat& image, const std::string& text, cv::Point at, const colour& how) {
  put_text(image, text, {at.x - text_width(text) / 2, at.y}, how);
}

/// Draws upwards, with the middle of the text's lower end at `at`.
void put_upright(cv::Mat& image, const std::string& text, cv::Point at) {
  cv::Mat strip(2 * text_height, text_width(text) + 2, CV_8UC3, white);
  put_text(strip, text, {1, text_height}, ink);
  cv::rotate(strip, strip, cv::ROTATE_90_COUNTERCLOCKWISE);
  const cv::Rect place(at.x - text_height, at.y - strip.rows, strip.cols, strip.rows);
  const auto inside = place & cv::Rect({0, 0}, image.size());
  strip(inside - place.tl()).copyTo(image(inside));
}

/// The square root spreads small shares, where the interesting confusions are.
double depth_of(double share) {
  return std::sqrt(std::clamp(share, 0.0, 1.0));
}

colour mix(const colour& pale, const colour& deep, double depth) {
  return pale * (1 - depth) + deep * depth;
}

/// Sizes in pixels. The matrix stands at (left, top); names or ticks left of it and above, the legend right of it.
struct layout {
  int num_classes = 0;
  int cell = 0;
  int tick_step = 1; ///< A name or number at every so many classes.
  int left = 0;
  int top = 0;
  bool upright = false;     ///< The labels above stand, because one of them is too wide to lie.
  bool with_counts = false; ///< All of them fit into their cells.
  std::vector<std::string> labels;

  [[nodiscard]] int side() const { return num_classes * cell; }
  [[nodiscard]] int count_room() const { return cell - 4; }
  [[nodiscard]] int middle(int index) const { return index * cell + cell / 2; }
  [[nodiscard]] cv::Size size() const { return {left + side() + 5 * gap + 2 * bar_width + 40, top + side() + 2 * gap}; }
};

/// The count, in thousands or millions where it is too wide for `room` and large enough for that.
std::string count_text(std::uint64_t count, int room) {
  auto text = std::to_string(count);
  if (text_width(text) > room && count >= 1000)
    text = count < 1'000'000 ? std::to_string((count + 500) / 1000) + "k"
                             : std::to_string((count - 500'000) / 1'000'000 + 1) + "M";
  return text;
}

layout plan(std::span<const std::uint64_t> counts, const std::vector<std::string>& classes) {
  constexpr int wanted_side = 640, largest_cell = 130, smallest_named_cell = 16, longest_label = 150;
  layout result;
  result.num_classes = static_cast<int>(classes.size());
  result.cell = std::clamp(wanted_side / result.num_classes, 1, largest_cell);
  const bool with_names = result.cell >= smallest_named_cell; // Else class numbers.
  if (!with_names)
    for (const int step : {1, 2, 5, 10, 20, 50, 100, 200})
      if (result.tick_step * result.cell < 2 * text_height)
        result.tick_step = step;
  int widest = 0;
  for (int i = 0; i < result.num_classes; ++i) {
    const auto& name = classes[static_cast<std::size_t>(i)];
    result.labels.push_back(with_names ? fitting_caption(name, longest_label, font_scale) : std::to_string(i));
    widest = std::max(widest, text_width(result.labels.back()));
  }
  result.upright = widest > result.tick_step * result.cell - gap;
  // Outside in: the axis' title, the labels, the matrix.
  result.left = gap + 2 * text_height + widest + 2 * gap;
  result.top = gap + 2 * text_height + (result.upright ? widest : text_height) + 2 * gap;
  result.with_counts = result.cell >= 2 * text_height
                       && std::all_of(counts.begin(), counts.end(), [room = result.count_room()](auto count) {
                            return text_width(count_text(count, room)) <= room;
                          });
  return result;
}

void draw_axes(cv::Mat& image, const layout& at) {
  put_upright(image, "label", {gap + text_height, at.top + at.side() / 2 + text_width("label") / 2});
  put_centred(image, "prediction", {at.left + at.side() / 2, gap + text_height / 2}, ink);
  for (int i = 0; i < at.num_classes; i += at.tick_step) {
    const auto& label = at.labels[static_cast<std::size_t>(i)];
    put_text(image, label, {at.left - gap - text_width(label), at.top + at.middle(i)}, ink);
    if (at.upright)
      put_upright(image, label, {at.left + at.middle(i), at.top - gap});
    else
      put_centred(image, label, {at.left + at.middle(i), at.top - gap - text_height / 2}, ink);
  }
}

void draw_row(cv::Mat& image, const layout& at, int row, std::span<const std::uint64_t> counts) {
  double total = 0;
  for (const auto count : counts)
    total += static_cast<double>(count);
  const int line = at.cell >= 6 ? 1 : 0;
  for (int column = 0; column < at.num_classes; ++column) {
    const auto count = counts[static_cast<std::size_t>(column)];
    const double depth = total > 0 ? depth_of(static_cast<double>(count) / total) : 0;
    const bool hit = row == column;
    const auto fill = total > 0 ? mix(hit ? pale_hit : pale_miss, hit ? deep_hit : deep_miss, depth) : empty_row;
    const cv::Point corner(at.left + column * at.cell, at.top + row * at.cell);
    cv::rectangle(image, cv::Rect(corner, cv::Size(at.cell - line, at.cell - line)), fill, cv::FILLED);
    // A zero says nothing that the pale cell does not say.
    if (count > 0 && at.with_counts)
      put_centred(image, count_text(count, at.count_room()), corner + cv::Point(at.cell / 2, at.cell / 2),
                  depth > 0.6 ? white : ink);
  }
}

/// Two bars of colour, hits and misses, with the shares that they stand for.
void draw_legend(cv::Mat& image, const layout& at) {
  const int height = std::min(at.side(), 260);
  const int left = at.left + at.side() + 2 * gap;
  for (int y = 0; y < height; ++y) {
    const double depth = 1 - static_cast<double>(y) / std::max(1, height - 1);
    const cv::Rect line(left, at.top + y, bar_width, 1);
    cv::rectangle(image, line, mix(pale_hit, deep_hit, depth), cv::FILLED);
    cv::rectangle(image, line + cv::Point(bar_width + 2, 0), mix(pale_miss, deep_miss, depth), cv::FILLED);
  }
  for (const int percent : {0, 1, 5, 10, 25, 50, 100}) {
    const int y = at.top + static_cast<int>(std::lround((1 - depth_of(percent / 100.0)) * (height - 1)));
    if (height >= 150 || percent == 0 || percent == 100)
      put_text(image, std::to_string(percent) + "%", {left + 2 * bar_width + gap, y}, ink);
  }
}

} // namespace

expected<png_image> draw_confusion_matrix(std::span<const std::uint64_t> counts,
                                          const std::vector<std::string>& classes) {
  const auto n = classes.size();
  if (n == 0 || n > max_confusion_classes)
    return failure{ec::unsupported, "confusion matrix: " + std::to_string(n) + " classes, expected 1 to "
                                      + std::to_string(max_confusion_classes)};
  if (counts.size() != n * n)
    return failure{ec::mismatch, "confusion matrix: " + std::to_string(counts.size()) + " counts for "
                                   + std::to_string(n) + " classes, expected " + std::to_string(n * n)};
  const auto at = plan(counts, classes);
  cv::Mat image(at.size(), CV_8UC3, white);
  for (std::size_t row = 0; row < n; ++row)
    draw_row(image, at, static_cast<int>(row), counts.subspan(row * n, n));
  draw_axes(image, at);
  draw_legend(image, at);
  std::vector<unsigned char> png;
  if (!cv::imencode(".png", image, png))
    return failure{ec::io_error, "confusion matrix: cannot encode " + std::to_string(image.cols) + " x "
                                   + std::to_string(image.rows) + " pixels as PNG"};
  return png_image{static_cast<std::uint32_t>(image.cols), static_cast<std::uint32_t>(image.rows),
                   std::string(png.begin(), png.end())};
}

} // namespace troupe
