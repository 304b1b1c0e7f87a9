#include "actors/augmenter/transforms/colour.hpp"

#include "actors/augmenter/transforms/rgb_blocks.hpp"

#include <cstdint>
#include <opencv2/core.hpp>

namespace troupe {

namespace {

/// Single precision and rounding down, as with tensors.
float luma(float red, float green, float blue) noexcept {
  return static_cast<float>(static_cast<int>(0.2989F * red + 0.587F * green + 0.114F * blue));
}

float clamped(float x) noexcept {
  return std::min(std::max(x, 0.0F), 255.0F);
}

/// A mixture of two images, `factor` of the first.
struct blend {
  explicit blend(double factor) : first(static_cast<float>(factor)), second(static_cast<float>(1 - factor)) {}

  [[nodiscard]] float operator()(float x, float y) const noexcept { return clamped(first * x + second * y); }

  float first;
  float second;
};

/// Blends every byte with one other value.
void blend_with(cv::Mat& pixels, double factor, float other) {
  const blend mix(factor);
  std::array<unsigned char, 256> table;
  for (std::size_t x = 0; x < table.size(); ++x)
    table[x] = static_cast<unsigned char>(mix(static_cast<float>(x), other));
  cv::LUT(pixels, cv::Mat(1, 256, CV_8UC1, table.data()), pixels);
}

float mean_luma(const cv::Mat& pixels) {
  std::uint64_t sum = 0;
  for (int y = 0; y < pixels.rows; ++y) {
    const auto* row = pixels.ptr<unsigned char>(y);
    std::uint32_t sum_of_row = 0;
    if (pixels.channels() == 1)
      for (int x = 0; x < pixels.cols; ++x)
        sum_of_row += row[x];
    else
      for (int x = 0; x < pixels.cols; ++x, row += 3)
        sum_of_row += static_cast<std::uint32_t>(luma(row[0], row[1], row[2]));
    sum += sum_of_row;
  }
  return static_cast<float>(static_cast<double>(sum) / static_cast<double>(pixels.total()));
}

} // namespace

void adjust_brightness(cv::Mat& pixels, double factor) {
  blend_with(pixels, factor, 0);
}

void adjust_contrast(cv::Mat& pixels, double factor) {
  blend_with(pixels, factor, mean_luma(pixels));
}

void adjust_saturation(cv::Mat& pixels, double factor) {
  if (pixels.channels() == 1)
    return;
  change_rgb(pixels, [mix = blend(factor)](rgb_block& x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      const float grey = luma(x.red[i], x.green[i], x.blue[i]);
      x.red[i] = mix(x.red[i], grey);
      x.green[i] = mix(x.green[i], grey);
      x.blue[i] = mix(x.blue[i], grey);
    }
  });
}

void to_grayscale(cv::Mat& pixels) {
  if (pixels.channels() == 1)
    return;
  change_rgb(pixels, [](rgb_block& x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i)
      x.red[i] = x.green[i] = x.blue[i] = luma(x.red[i], x.green[i], x.blue[i]);
  });
}

} // namespace troupe
