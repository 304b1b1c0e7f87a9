/// The rows of an image on their way through a resize.
#pragma once

#include "actors/support/imaging/resampling/resize_kernels.hpp"

#include <cstddef>
#include <opencv2/core/mat.hpp>

namespace troupe {

/// Resizes rows in their direction when they are asked for, and keeps them until the next ones do not need them: a window
/// that slides down the image and stays in the nearest cache. Keeps references to all that it is made of.
class row_window {
public:
  row_window(const cv::Mat& from, const resize_axes& axes, const resize_kernels& kernels, resize_scratch& scratch);

  /// The rows that make row `output`, which is no smaller than before. Valid until the next call.
  [[nodiscard]] row_stack rows_of(int output);

private:
  [[nodiscard]] unsigned char* slot(int row) const noexcept;
  void fill(int first, int last);
  void slide_to(int first);
  void copy(int count);
  void make(int count);
  [[nodiscard]] const unsigned char* readable(int place, int row) const;

  const cv::Mat& from_;
  const resize_axes& axes_;
  const resize_kernels& kernels_;
  std::size_t from_bytes_; ///< Of a row of `from_`.
  std::size_t to_bytes_;   ///< Of a resized row.
  std::size_t step_;       ///< From a slot to the next.
  int num_slots_;
  int end_;     ///< The first row that is not made yet.
  int base_;    ///< The row in the first slot.
  bool narrow_; ///< A row of `from_` is shorter than what may be read behind one.
  bool dense_;  ///< Next to all rows are used.
  bool shifts_; ///< Rows are copied, from some pixel on.
  unsigned char* slots_ = nullptr;
  unsigned char* copies_ = nullptr; ///< Room for copies of rows of `from_`.
  unsigned char* interleaved_ = nullptr;
};

} // namespace troupe
