/// The inner loops of normalize: pixels times a factor plus an offset, in the layout of the batch.
#pragma once

#include "messages/pixel_type.hpp"

#include <array>
#include <cstddef>

namespace troupe {

/// What channels interleaved are multiplied with and what is added, again and again: a whole number of pixels, and of
/// vectors of eight.
struct normalize_factors {
  static constexpr std::size_t period = 24;
  std::array<float, period> scale = {};
  std::array<float, period> bias = {};
};

/// One implementation for one type of pixels and one of results; all of them give the same numbers: x * scale, rounded to
/// a float, + bias, rounded again, and for bfloat16 once more, to the nearest and of two such to the even one.
struct normalize_kernels {
  /// `count` values side by side, the first of them of the first channel.
  void (*interleaved)(const void* values, std::size_t count, const normalize_factors& factors, void* out);
  /// `count` pixels; a channel's results go side by side, `plane` results behind those of the channel before.
  void (*planar)(const void* pixels, std::size_t count, std::size_t channels, const normalize_factors& factors,
                 void* out, std::size_t plane);
};

/// For any machine. `bits` of a value: 8 or 16.
[[nodiscard]] const normalize_kernels& plain_normalize_kernels(int bits, pixel_type type) noexcept;

/// What is fastest on this machine.
[[nodiscard]] const normalize_kernels& best_normalize_kernels(int bits, pixel_type type) noexcept;

} // namespace troupe
