/// Which input pixels make an output pixel, and how much of each: one direction of a resize.
#pragma once

#include "actors/support/imaging/resize.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// Weights are fixed point: 1 is `1 << weight_bits`. As many bits as Pillow has.
inline constexpr int weight_bits = 32 - 8 - 2;

/// Output `i` is the sum of inputs [starts[i], starts[i] + num_taps), each times its weight in `weights`; what is added for
/// rounding comes on top. All inputs lie inside the image, and `starts` never decreases.
struct resize_axis {
  int size = 0;                          ///< Number of outputs.
  int num_taps = 0;                      ///< Even where the image has that many pixels; 1 if pixels are just copied.
  const std::int32_t* starts = nullptr;  ///< [padded_size()]
  const std::int32_t* weights = nullptr; ///< [size, num_taps]
  /// [padded_size(), num_taps / 2, 2] if `num_taps` is even. 32-bit multiplications are slow, so a weight is also there as
  /// high * 2^16 + low: exact, since sums are taken modulo 2^32 and the whole sum fits 32 bits. First the low parts of two
  /// weights as one word of two signed 16-bit numbers, then their high parts, which fit 8 bits: 255 times two of them fits
  /// 16 bits, because of two neighbouring weights the magnitudes are together below 1.5 with each of our filters.
  const std::int32_t* split = nullptr;

  /// Kernels make so many outputs at a time.
  static constexpr int step = 4;
  /// `size` up to whole steps; what is past `size` repeats the last output.
  [[nodiscard]] int padded_size() const noexcept { return (size + step - 1) / step * step; }
  [[nodiscard]] int end() const noexcept { return starts[size - 1] + num_taps; }
};

/// One direction of a resize: [first, last) of an input of `input_size` pixels becomes `output_size` pixels.
struct resize_range {
  int input_size = 0;
  int output_size = 0;
  double first = 0;
  double last = 0;
};

/// The two directions, in memory of `scratch`, which nothing else may use meanwhile. `filter` is not nearest.
struct resize_axes {
  resize_axis horizontal;
  resize_axis vertical;
};
[[nodiscard]] resize_axes make_resize_axes(const resize_range& horizontal, const resize_range& vertical,
                                           interpolation filter, bool antialias, resize_scratch& scratch);

} // namespace troupe
