/// The inner loops of a resize: rows to narrower or wider rows, and columns of rows to one row.
#pragma once

#include "actors/support/imaging/resampling/resize_weights.hpp"

#include <array>
#include <cstddef>

namespace troupe {

/// Rows to be resized in their direction.
struct row_group {
  static constexpr int most_rows = 16;
  /// What may be read, and is not used, behind a row's last pixel; and what may be written behind a resized row's last.
  static constexpr std::size_t slack = 64;

  std::array<const unsigned char*, most_rows> from = {};
  int num_rows = 0; ///< 1..most_rows
  int channels = 0; ///< 1..4
  int width = 0;    ///< Pixels in a row of `from`.
  unsigned char* to = nullptr;
  std::size_t to_step = 0;              ///< Bytes from a row of `to` to the next.
  unsigned char* interleaved = nullptr; ///< For grey: most_rows * (width + slack), and as much for the resized rows.
};

/// Neighbouring rows of which one is made.
struct row_stack {
  const unsigned char* first = nullptr; ///< The row `axis.starts[output]`.
  std::size_t step = 0;                 ///< Bytes from a row to the next.
  std::size_t num_values = 0;           ///< Pixels times channels in a row.
};

/// One implementation; all of them give the same pixels.
struct resize_kernels {
  std::size_t value_bytes; ///< 1 or 2 per channel of a pixel.
  void (*across)(const row_group& rows, const resize_axis& axis);
  void (*down)(const row_stack& rows, const resize_axis& axis, int output, unsigned char* to);
};

/// For any machine.
extern const resize_kernels plain_kernels_8;
extern const resize_kernels plain_kernels_16;

/// What is fastest on this machine for 8 bits per channel.
[[nodiscard]] const resize_kernels& best_kernels_8() noexcept;

/// `resize` with an antialiasing or interpolating filter, by given kernels. @pre `filter` is not nearest.
void resize_filtered(const cv::Mat& from, const cv::Rect2d& box, cv::Mat& to, interpolation filter, bool antialias,
                     resize_scratch& scratch, const resize_kernels& kernels);

} // namespace troupe
