#include "actors/support/imaging/resampling/resize_weights.hpp"

#include <algorithm>
#include <cmath>
#include <span>

namespace troupe {

namespace {

double triangle(double x) noexcept {
  x = std::abs(x);
  return x < 1 ? 1 - x : 0;
}

/// Keys' cubic.
double cubic(double x, double a) noexcept {
  x = std::abs(x);
  if (x < 1)
    return ((a + 2) * x - (a + 3)) * x * x + 1;
  return x < 2 ? (((x - 5) * x + 8) * x - 4) * a : 0;
}

/// A filter, stretched to the scale. Every operation is one of Pillow's, in its order and precision: the weights are equal
/// to the last bit, and so are the pixels.
class stretched_filter {
public:
  stretched_filter(const resize_range& range, interpolation filter, bool antialias)
    : input_size_(range.input_size), bicubic_(filter == interpolation::bicubic), antialias_(antialias) {
    const auto first = static_cast<float>(range.first);
    const auto last = static_cast<float>(range.last);
    first_ = first;
    scale_ = static_cast<double>(last - first) / range.output_size;
    const double filter_scale = antialias ? std::max(scale_, 1.0) : 1.0;
    support_ = (bicubic_ ? 2 : 1) * filter_scale;
    inverse_ = 1.0 / filter_scale;
    copies_ = scale_ == 1 && first == std::floor(first);
  }

  /// Pixels are copied as they are.
  [[nodiscard]] bool copies() const noexcept { return copies_; }
  [[nodiscard]] int first_pixel() const noexcept { return static_cast<int>(first_); }

  struct taps {
    int start;
    int count;
  };

  /// The inputs that lie under the filter, without those outside of the image.
  [[nodiscard]] taps taps_of(int output) const noexcept {
    const double center = center_of(output);
    const int start = std::max(static_cast<int>(center - support_ + 0.5), 0);
    const int end = std::min(static_cast<int>(center + support_ + 0.5), input_size_);
    return {start, end - start};
  }

  /// The weights of `taps_of(output)`; their sum is 1.
  void weigh(int output, taps at, double* weights) const noexcept {
    if (antialias_)
      weigh_rest(output, at, weights);
    else
      weigh_repeating_edges(output, at, weights);
  }

private:
  [[nodiscard]] double center_of(int output) const noexcept { return first_ + (output + 0.5) * scale_; }

  [[nodiscard]] double value_at(double x) const noexcept {
    return bicubic_ ? cubic(x, antialias_ ? -0.5 : -0.75) : triangle(x);
  }

  /// As if the filter ended at the edges of the image.
  void weigh_rest(int output, taps at, double* weights) const noexcept {
    const double center = center_of(output);
    double sum = 0;
    for (int i = 0; i < at.count; ++i) {
      weights[i] = value_at((i + at.start - center + 0.5) * inverse_);
      sum += weights[i];
    }
    for (int i = 0; i < at.count; ++i)
      if (sum != 0)
        weights[i] /= sum;
  }

  /// As if the pixels at the edges of the image went on.
  void weigh_repeating_edges(int output, taps at, double* weights) const noexcept {
    const double center = center_of(output);
    std::fill_n(weights, at.count, 0.0);
    const int begin = static_cast<int>(std::floor(center - support_ + 0.5));
    const int end = static_cast<int>(std::floor(center + support_ + 0.5));
    for (int i = begin; i < end; ++i)
      weights[std::clamp(i - at.start, 0, at.count - 1)] += value_at(i - center + 0.5);
  }

  int input_size_;
  bool bicubic_;
  bool antialias_;
  bool copies_;
  double first_;
  double scale_;
  double support_;
  double inverse_;
};

int num_taps(const stretched_filter& filter, const resize_range& range) {
  if (filter.copies())
    return 1;
  int most = 1;
  for (int i = 0; i < range.output_size; ++i)
    most = std::max(most, filter.taps_of(i).count);
  return std::min(most + most % 2, range.input_size);
}

std::int32_t fixed_point(double weight) noexcept {
  return static_cast<std::int32_t>(weight * (1 << weight_bits) + (weight < 0 ? -0.5 : 0.5));
}

std::int32_t two_words(std::int32_t first, std::int32_t second) noexcept {
  return static_cast<std::int32_t>((static_cast<std::uint32_t>(first) & 0xffffU)
                                   | (static_cast<std::uint32_t>(second) << 16U));
}

void split_two(const std::int32_t* weights, std::int32_t* split) noexcept {
  const auto high = [](std::int32_t x) { return (x + (1 << 15)) >> 16; };
  const auto low = [&](std::int32_t x) { return x - (high(x) << 16); };
  split[0] = two_words(low(weights[0]), low(weights[1]));
  split[1] = two_words(high(weights[0]), high(weights[1]));
}

/// An axis and where to put its numbers.
struct axis_memory {
  resize_axis axis;
  std::int32_t* starts;
  std::int32_t* weights;
  std::int32_t* split;
};

void fill_output(const stretched_filter& filter, const resize_range& range, int output, const axis_memory& to,
                 std::span<double> exact) {
  const int taps = to.axis.num_taps;
  auto* weights = to.weights + static_cast<std::ptrdiff_t>(output) * taps;
  if (filter.copies()) {
    to.starts[output] = filter.first_pixel() + output;
    weights[0] = 1 << weight_bits;
    return;
  }
  const auto at = filter.taps_of(output);
  filter.weigh(output, at, exact.data());
  // Zeros fill the taps up: behind, or before where the image ends.
  const int start = std::min(at.start, range.input_size - taps);
  std::fill_n(weights, taps, 0);
  for (int i = 0; i < at.count; ++i)
    weights[at.start - start + i] = fixed_point(exact[static_cast<std::size_t>(i)]);
  to.starts[output] = start;
}

void fill_padding(const axis_memory& to) {
  const auto& axis = to.axis;
  const auto num_split = static_cast<std::size_t>(axis.num_taps / 2) * 2;
  const std::size_t last = static_cast<std::size_t>(axis.size) - 1;
  for (auto i = last + 1; i < static_cast<std::size_t>(axis.padded_size()); ++i) {
    to.starts[i] = to.starts[last];
    std::copy_n(to.split + last * num_split, num_split, to.split + i * num_split);
  }
}

void fill(const stretched_filter& filter, const resize_range& range, const axis_memory& to, std::span<double> exact) {
  for (int i = 0; i < range.output_size; ++i)
    fill_output(filter, range, i, to, exact);
  if (to.axis.num_taps % 2 == 0)
    for (std::ptrdiff_t i = 0; i < static_cast<std::ptrdiff_t>(to.axis.size) * to.axis.num_taps; i += 2)
      split_two(to.weights + i, to.split + i);
  fill_padding(to);
}

resize_axis shape_of(const stretched_filter& filter, const resize_range& range) {
  return {.size = range.output_size, .num_taps = num_taps(filter, range)};
}

std::size_t num_words(const resize_axis& axis) noexcept {
  return static_cast<std::size_t>(axis.padded_size()) * (1 + 2 * static_cast<std::size_t>(axis.num_taps));
}

axis_memory place(resize_axis axis, std::int32_t* at) noexcept {
  const auto size = static_cast<std::size_t>(axis.padded_size());
  axis_memory result{axis, at, at + size, at + size * (1 + static_cast<std::size_t>(axis.num_taps))};
  result.axis.starts = result.starts;
  result.axis.weights = result.weights;
  result.axis.split = result.split;
  return result;
}

/// Vectors grow and never shrink: to set the fresh part of one that shrank and grows again costs time.
template <class T>
void grow(std::vector<T>& x, std::size_t size) {
  if (x.size() < size)
    x.resize(size);
}

} // namespace

resize_axes make_resize_axes(const resize_range& horizontal, const resize_range& vertical, interpolation filter,
                             bool antialias, resize_scratch& scratch) {
  const stretched_filter across(horizontal, filter, antialias);
  const stretched_filter down(vertical, filter, antialias);
  const auto across_shape = shape_of(across, horizontal);
  const auto down_shape = shape_of(down, vertical);
  grow(scratch.weights, num_words(across_shape) + num_words(down_shape));
  grow(scratch.exact_weights, static_cast<std::size_t>(std::max(across_shape.num_taps, down_shape.num_taps)));
  const auto across_memory = place(across_shape, scratch.weights.data());
  const auto down_memory = place(down_shape, scratch.weights.data() + num_words(across_shape));
  fill(across, horizontal, across_memory, scratch.exact_weights);
  fill(down, vertical, down_memory, scratch.exact_weights);
  return {across_memory.axis, down_memory.axis};
}

} // namespace troupe
