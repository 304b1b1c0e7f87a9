#include "actors/augmenter/transforms/affine.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <opencv2/core.hpp>

namespace troupe {

namespace {

double radians(double degrees) {
  return degrees * (std::numbers::pi / 180);
}

/// Where the pixels of a row of the output come from, relative to the first pixel of the input.
struct source_line {
  source_line(const affine_map& map, cv::Size from, cv::Size to, int y) : step_x(map[0]), step_y(map[3]) {
    const double first = 0.5 - to.width * 0.5;
    const double row = y + 0.5 - to.height * 0.5;
    begin_x = map[0] * first + map[1] * row + map[2] + from.width * 0.5 - 0.5;
    begin_y = map[3] * first + map[4] * row + map[5] + from.height * 0.5 - 0.5;
  }

  [[nodiscard]] double x(int i) const { return begin_x + step_x * i; }
  [[nodiscard]] double y(int i) const { return begin_y + step_y * i; }

  double begin_x;
  double begin_y;
  double step_x;
  double step_y;
};

bool within(int x, int extent) {
  return static_cast<unsigned>(x) < static_cast<unsigned>(extent);
}

template <class T, int Channels>
void warp_row_nearest(const cv::Mat& from, T* to, int width, const source_line& line, T fill) {
  for (int i = 0; i < width; ++i, to += Channels) {
    const int x = cvRound(line.x(i));
    const int y = cvRound(line.y(i));
    if (within(x, from.cols) && within(y, from.rows))
      std::copy_n(from.ptr<T>(y) + x * Channels, Channels, to);
    else
      std::fill_n(to, Channels, fill);
  }
}

/// Mixes what of the four neighbours lies inside with `fill`.
template <class T, int Channels>
void mix_at_edge(const cv::Mat& from, T* to, double x, double y, float fill) {
  std::array<float, Channels> sum{};
  float inside = 0;
  const int left = cvFloor(x);
  const int top = cvFloor(y);
  for (int row = top; row <= top + 1; ++row)
    for (int column = left; column <= left + 1; ++column) {
      if (!within(column, from.cols) || !within(row, from.rows))
        continue;
      const auto weight = static_cast<float>((1 - std::abs(x - column)) * (1 - std::abs(y - row)));
      const auto* pixel = from.ptr<T>(row) + column * Channels;
      for (std::size_t c = 0; c < Channels; ++c)
        sum[c] += weight * static_cast<float>(pixel[c]);
      inside += weight;
    }
  for (std::size_t c = 0; c < Channels; ++c)
    to[c] = cv::saturate_cast<T>(sum[c] * inside + (1 - inside) * fill);
}

template <class T, int Channels>
void warp_row_bilinear(const cv::Mat& from, T* to, int width, const source_line& line, float fill) {
  for (int i = 0; i < width; ++i, to += Channels) {
    const double x = line.x(i);
    const double y = line.y(i);
    const int left = cvFloor(x);
    const int top = cvFloor(y);
    if (!within(left, from.cols - 1) || !within(top, from.rows - 1)) {
      mix_at_edge<T, Channels>(from, to, x, y, fill);
      continue;
    }
    const auto right_share = static_cast<float>(x - left);
    const auto lower_share = static_cast<float>(y - top);
    const auto* upper = from.ptr<T>(top) + left * Channels;
    const auto* lower = from.ptr<T>(top + 1) + left * Channels;
    for (int c = 0; c < Channels; ++c) {
      const float above =
        static_cast<float>(upper[c]) * (1 - right_share) + static_cast<float>(upper[c + Channels]) * right_share;
      const float below =
        static_cast<float>(lower[c]) * (1 - right_share) + static_cast<float>(lower[c + Channels]) * right_share;
      to[c] = cv::saturate_cast<T>(above * (1 - lower_share) + below * lower_share);
    }
  }
}

template <class T, int Channels>
void warp_all(const cv::Mat& from, cv::Mat& to, const affine_map& map, interpolation filter, double fill) {
  for (int y = 0; y < to.rows; ++y) {
    const source_line line(map, from.size(), to.size(), y);
    if (filter == interpolation::nearest)
      warp_row_nearest<T, Channels>(from, to.ptr<T>(y), to.cols, line, cv::saturate_cast<T>(fill));
    else
      warp_row_bilinear<T, Channels>(from, to.ptr<T>(y), to.cols, line, static_cast<float>(fill));
  }
}

template <class T>
void warp_depth(const cv::Mat& from, cv::Mat& to, const affine_map& map, interpolation filter, double fill) {
  switch (from.channels()) {
  case 1:
    return warp_all<T, 1>(from, to, map, filter, fill);
  case 2:
    return warp_all<T, 2>(from, to, map, filter, fill);
  case 3:
    return warp_all<T, 3>(from, to, map, filter, fill);
  default:
    return warp_all<T, 4>(from, to, map, filter, fill);
  }
}

} // namespace

affine_map affine_map_of(const affine_parameters& p) noexcept {
  const double angle = radians(p.degrees);
  const double shear_x = radians(p.shear.x);
  const double shear_y = radians(p.shear.y);
  const double a = std::cos(angle - shear_y) / std::cos(shear_y);
  const double b = -std::cos(angle - shear_y) * std::tan(shear_x) / std::cos(shear_y) - std::sin(angle);
  const double c = std::sin(angle - shear_y) / std::cos(shear_y);
  const double d = -std::sin(angle - shear_y) * std::tan(shear_x) / std::cos(shear_y) + std::cos(angle);
  affine_map map{d / p.scale, -b / p.scale, 0, -c / p.scale, a / p.scale, 0};
  const auto back = p.center + p.translate;
  map[2] = p.center.x - map[0] * back.x - map[1] * back.y;
  map[5] = p.center.y - map[3] * back.x - map[4] * back.y;
  return map;
}

affine_map rotation_map(double degrees) noexcept {
  return affine_map_of({.degrees = -degrees, .translate = {}, .scale = 1, .shear = {}, .center = {}});
}

cv::Size expanded_size(const affine_map& map, cv::Size size) noexcept {
  // Four digits, so that rounding errors do not add a pixel.
  const auto extent = [](double half_width, double half_height, double middle) {
    constexpr double digit = 1e-4;
    const double half = std::abs(half_width) + std::abs(half_height);
    const double high = std::ceil(std::trunc((middle + half) / digit) * digit);
    const double low = std::floor(std::trunc((middle - half) / digit) * digit);
    return static_cast<int>(high - low);
  };
  const double x = size.width * 0.5;
  const double y = size.height * 0.5;
  return {extent(map[0] * x, map[1] * y, x), extent(map[3] * x, map[4] * y, y)};
}

void warp(const cv::Mat& from, cv::Mat& to, const affine_map& map, interpolation filter, double fill) {
  assert(to.type() == from.type() && from.channels() <= 4);
  if (from.depth() == CV_8U)
    warp_depth<std::uint8_t>(from, to, map, filter, fill);
  else
    warp_depth<std::uint16_t>(from, to, map, filter, fill);
}

} // namespace troupe
