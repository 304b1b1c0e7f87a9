#include "actors/support/imaging/resize.hpp"

#include "actors/support/imaging/resampling/resize_kernels.hpp"
#include "actors/support/imaging/resampling/row_window.hpp"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <cstring>

namespace troupe {

namespace {

template <std::size_t Bytes>
void pick_pixels(const unsigned char* row, const std::int32_t* columns, int count, unsigned char* to) noexcept {
  for (int x = 0; x < count; ++x, to += Bytes)
    std::memcpy(to, row + static_cast<std::size_t>(columns[x]) * Bytes, Bytes);
}

void pick_pixels(const unsigned char* row, const std::int32_t* columns, cv::Mat& to, int y) {
  auto* out = to.ptr(y);
  switch (to.elemSize()) {
  case 1:
    return pick_pixels<1>(row, columns, to.cols, out);
  case 2:
    return pick_pixels<2>(row, columns, to.cols, out);
  case 3:
    return pick_pixels<3>(row, columns, to.cols, out);
  case 4:
    return pick_pixels<4>(row, columns, to.cols, out);
  case 6:
    return pick_pixels<6>(row, columns, to.cols, out);
  default:
    return pick_pixels<8>(row, columns, to.cols, out);
  }
}

/// The pixel under the centre of target pixel `i`.
int nearest_to(int i, double first, double scale, int size) noexcept {
  return std::clamp(static_cast<int>(std::floor(first + (i + 0.5) * scale)), 0, size - 1);
}

void resize_nearest(const cv::Mat& from, const cv::Rect2d& box, cv::Mat& to, resize_scratch& scratch) {
  if (scratch.weights.size() < static_cast<std::size_t>(to.cols))
    scratch.weights.resize(static_cast<std::size_t>(to.cols));
  auto* columns = scratch.weights.data();
  for (int x = 0; x < to.cols; ++x)
    columns[x] = nearest_to(x, box.x, box.width / to.cols, from.cols);
  for (int y = 0; y < to.rows; ++y)
    pick_pixels(from.ptr(nearest_to(y, box.y, box.height / to.rows, from.rows)), columns, to, y);
}

} // namespace

void resize_filtered(const cv::Mat& from, const cv::Rect2d& box, cv::Mat& to, interpolation filter, bool antialias,
                     resize_scratch& scratch, const resize_kernels& kernels) {
  const resize_range across{from.cols, to.cols, box.x, box.x + box.width};
  const resize_range down{from.rows, to.rows, box.y, box.y + box.height};
  const auto axes = make_resize_axes(across, down, filter, antialias, scratch);
  row_window rows(from, axes, kernels, scratch);
  for (int y = 0; y < to.rows; ++y) {
    const auto stack = rows.rows_of(y);
    if (axes.vertical.num_taps == 1)
      std::memcpy(to.ptr(y), stack.first, stack.num_values * kernels.value_bytes);
    else
      kernels.down(stack, axes.vertical, y, to.ptr(y));
  }
}

void resize(const cv::Mat& from, const cv::Rect2d& box, cv::Mat& to, interpolation filter, bool antialias,
            resize_scratch& scratch) {
  assert(from.type() == to.type() && (from.depth() == CV_8U || from.depth() == CV_16U) && from.channels() <= 4);
  assert(!to.empty() && box.width > 0 && box.height > 0);
  [[maybe_unused]] constexpr double rounding = 1e-6; // Boxes are often scaled.
  assert(box.x >= -rounding && box.x + box.width <= from.cols + rounding);
  assert(box.y >= -rounding && box.y + box.height <= from.rows + rounding);
  if (filter == interpolation::nearest)
    resize_nearest(from, box, to, scratch);
  else
    resize_filtered(from, box, to, filter, antialias, scratch,
                    from.depth() == CV_8U ? best_kernels_8() : plain_kernels_16);
}

} // namespace troupe
