#include "actors/support/imaging/resampling/row_window.hpp"

#include <algorithm>
#include <cstring>

namespace troupe {

namespace {

std::size_t with_slack(std::size_t bytes) noexcept {
  return (bytes + row_group::slack + 63) / 64 * 64;
}

bool only_shifts(const resize_axis& axis) noexcept {
  return axis.num_taps == 1 && axis.starts[axis.size - 1] - axis.starts[0] == axis.size - 1;
}

} // namespace

row_window::row_window(const cv::Mat& from, const resize_axes& axes, const resize_kernels& kernels,
                       resize_scratch& scratch)
  : from_(from), axes_(axes), kernels_(kernels), from_bytes_(static_cast<std::size_t>(from.cols) * from.elemSize()),
    to_bytes_(static_cast<std::size_t>(axes.horizontal.size) * from.elemSize()), step_(with_slack(to_bytes_)),
    num_slots_(axes.vertical.num_taps + 2 * row_group::most_rows), end_(axes.vertical.starts[0]), base_(end_),
    narrow_(from.step[0] < row_group::slack),
    dense_(axes.vertical.end() - end_ <= axes.vertical.size * axes.vertical.num_taps),
    shifts_(only_shifts(axes.horizontal)) {
  const auto slots = static_cast<std::size_t>(num_slots_) * step_;
  const auto copies = with_slack(from_bytes_) * (narrow_ ? row_group::most_rows : 1);
  const auto grey = static_cast<std::size_t>(from.cols + axes.horizontal.size) + 2 * row_group::slack;
  const auto bytes = slots + copies + (from.channels() == 1 ? row_group::most_rows * grey : 0);
  if (scratch.rows.size() < bytes)
    scratch.rows.resize(bytes);
  slots_ = scratch.rows.data();
  copies_ = slots_ + slots;
  interleaved_ = copies_ + copies;
}

row_stack row_window::rows_of(int output) {
  const int first = axes_.vertical.starts[output];
  const int last = first + axes_.vertical.num_taps;
  while (end_ < last)
    fill(first, last);
  const auto num_values = static_cast<std::size_t>(axes_.horizontal.size) * static_cast<std::size_t>(from_.channels());
  return {slot(first), step_, num_values};
}

unsigned char* row_window::slot(int row) const noexcept {
  return slots_ + static_cast<std::size_t>(row - base_) * step_;
}

/// Makes some of the rows [first, last) that are missing, and perhaps a few after them.
void row_window::fill(int first, int last) {
  if (end_ < first || end_ + row_group::most_rows > base_ + num_slots_)
    slide_to(first);
  const int count = std::min(row_group::most_rows, (dense_ ? axes_.vertical.end() : last) - end_);
  if (shifts_)
    copy(count);
  else
    make(count);
  end_ += count;
}

/// Lets go of the rows above `first`.
void row_window::slide_to(int first) {
  if (end_ > first)
    std::memmove(slots_, slot(first), static_cast<std::size_t>(end_ - first) * step_);
  end_ = std::max(end_, first);
  base_ = first;
}

void row_window::copy(int count) {
  const auto offset = static_cast<std::size_t>(axes_.horizontal.starts[0]) * from_.elemSize();
  for (int i = 0; i < count; ++i)
    std::memcpy(slot(end_ + i), from_.ptr(end_ + i) + offset, to_bytes_);
}

void row_window::make(int count) {
  row_group rows;
  rows.num_rows = count;
  rows.channels = from_.channels();
  rows.width = from_.cols;
  rows.to = slot(end_);
  rows.to_step = step_;
  rows.interleaved = interleaved_;
  for (int i = 0; i < count; ++i)
    rows.from[static_cast<std::size_t>(i)] = readable(i, end_ + i);
  kernels_.across(rows, axes_.horizontal);
}

/// Row `row`, which is number `place` of its group, where more may be read behind its end: from the next row, or in a copy.
const unsigned char* row_window::readable(int place, int row) const {
  if (row + 1 < from_.rows && !narrow_)
    return from_.ptr(row);
  auto* copy = copies_ + static_cast<std::size_t>(narrow_ ? place : 0) * with_slack(from_bytes_);
  return static_cast<const unsigned char*>(std::memcpy(copy, from_.ptr(row), from_bytes_));
}

} // namespace troupe
