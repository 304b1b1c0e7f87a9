#include "actors/support/imaging/resampling/resize_kernels.hpp"

#include "actors/support/imaging/resampling/resize_kernels_avx2.hpp"

#include <algorithm>
#include <limits>
#include <type_traits>

namespace troupe {

namespace {

/// Sums of 16-bit values times weights need more than 32 bits.
template <class Value>
using sum_of = std::conditional_t<sizeof(Value) == 1, std::int32_t, std::int64_t>;

template <class Value>
Value rounded(sum_of<Value> sum) noexcept {
  constexpr sum_of<Value> most = std::numeric_limits<Value>::max();
  return static_cast<Value>(std::clamp<sum_of<Value>>(sum >> weight_bits, 0, most));
}

template <class Value>
constexpr sum_of<Value> one_half = sum_of<Value>{1} << (weight_bits - 1);

template <class Value, int Channels>
void row_across(const Value* from, const resize_axis& axis, Value* to) noexcept {
  const auto* weight = axis.weights;
  for (int x = 0; x < axis.size; ++x, to += Channels) {
    const auto* pixel = from + static_cast<std::ptrdiff_t>(axis.starts[x]) * Channels;
    sum_of<Value> sums[Channels];
    std::fill_n(sums, Channels, one_half<Value>);
    for (int tap = 0; tap < axis.num_taps; ++tap, ++weight, pixel += Channels)
      for (int c = 0; c < Channels; ++c)
        sums[c] += static_cast<sum_of<Value>>(pixel[c]) * *weight;
    for (int c = 0; c < Channels; ++c)
      to[c] = rounded<Value>(sums[c]);
  }
}

template <class Value, int Channels>
void rows_across(const row_group& rows, const resize_axis& axis) noexcept {
  for (int y = 0; y < rows.num_rows; ++y)
    row_across<Value, Channels>(reinterpret_cast<const Value*>(rows.from[static_cast<std::size_t>(y)]), axis,
                                reinterpret_cast<Value*>(rows.to + static_cast<std::size_t>(y) * rows.to_step));
}

template <class Value>
void across(const row_group& rows, const resize_axis& axis) {
  switch (rows.channels) {
  case 1:
    return rows_across<Value, 1>(rows, axis);
  case 2:
    return rows_across<Value, 2>(rows, axis);
  case 3:
    return rows_across<Value, 3>(rows, axis);
  default:
    return rows_across<Value, 4>(rows, axis);
  }
}

template <class Value>
void down(const row_stack& rows, const resize_axis& axis, int output, unsigned char* to) {
  constexpr std::size_t most = 64;
  const auto* weights = axis.weights + static_cast<std::ptrdiff_t>(output) * axis.num_taps;
  auto* values = reinterpret_cast<Value*>(to);
  for (std::size_t x = 0; x < rows.num_values; x += most) {
    const auto count = std::min(most, rows.num_values - x);
    sum_of<Value> sums[most];
    std::fill_n(sums, count, one_half<Value>);
    for (int tap = 0; tap < axis.num_taps; ++tap) {
      const auto* row = reinterpret_cast<const Value*>(rows.first + static_cast<std::size_t>(tap) * rows.step) + x;
      for (std::size_t i = 0; i < count; ++i)
        sums[i] += static_cast<sum_of<Value>>(row[i]) * weights[tap];
    }
    for (std::size_t i = 0; i < count; ++i)
      values[x + i] = rounded<Value>(sums[i]);
  }
}

} // namespace

const resize_kernels plain_kernels_8{1, across<unsigned char>, down<unsigned char>};
const resize_kernels plain_kernels_16{2, across<std::uint16_t>, down<std::uint16_t>};

const resize_kernels& best_kernels_8() noexcept {
  static const resize_kernels& best = avx2_kernels() != nullptr ? *avx2_kernels() : plain_kernels_8;
  return best;
}

} // namespace troupe
