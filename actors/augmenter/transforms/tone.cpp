#include "actors/augmenter/transforms/tone.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <numeric>
#include <opencv2/core.hpp>

namespace troupe {

namespace {

constexpr std::size_t max_channels = 3;
using byte_table = std::array<unsigned char, 256>;
using histogram = std::array<std::uint32_t, 256>;

void look_up(cv::Mat& pixels, byte_table& table) {
  cv::LUT(pixels, cv::Mat(1, 256, CV_8UC1, table.data()), pixels);
}

/// Applies to every channel the table that `table_of` makes of its histogram.
template <class TableOf>
void look_up_by_channel(cv::Mat& pixels, TableOf table_of) {
  const auto num_channels = static_cast<std::size_t>(pixels.channels());
  std::array<histogram, max_channels> counts{};
  for (int y = 0; y < pixels.rows; ++y) {
    const auto* row = pixels.ptr<unsigned char>(y);
    for (int x = 0; x < pixels.cols; ++x)
      for (std::size_t c = 0; c < num_channels; ++c)
        ++counts[c][*row++];
  }
  std::array<unsigned char, 256 * max_channels> tables;
  for (std::size_t c = 0; c < num_channels; ++c) {
    const byte_table table = table_of(counts[c]);
    for (std::size_t x = 0; x < table.size(); ++x)
      tables[x * num_channels + c] = table[x];
  }
  cv::LUT(pixels, cv::Mat(1, 256, CV_8UC(pixels.channels()), tables.data()), pixels);
}

byte_table unchanged() {
  byte_table table;
  std::iota(table.begin(), table.end(), static_cast<unsigned char>(0));
  return table;
}

byte_table stretched(const histogram& counts) {
  const auto is_used = [](auto count) { return count > 0; };
  const auto low = std::find_if(counts.begin(), counts.end(), is_used) - counts.begin();
  const auto high = counts.rend() - std::find_if(counts.rbegin(), counts.rend(), is_used) - 1;
  if (low == high)
    return unchanged();
  const float scale = 1.0F / static_cast<float>(high - low) * 255.0F; // As tensors divide.
  byte_table table;
  for (std::size_t x = 0; x < table.size(); ++x)
    table[x] =
      static_cast<unsigned char>(std::clamp((static_cast<float>(x) - static_cast<float>(low)) * scale, 0.0F, 255.0F));
  return table;
}

byte_table equalized(const histogram& counts) {
  const auto last = std::find_if(counts.rbegin(), counts.rend(), [](auto count) { return count > 0; });
  const auto total = std::accumulate(counts.begin(), counts.end(), std::uint32_t{0});
  const auto step = (total - *last) / 255;
  if (step == 0)
    return unchanged();
  byte_table table;
  std::uint32_t num_below = 0;
  for (std::size_t x = 0; x < table.size(); ++x) {
    table[x] = static_cast<unsigned char>(x == 0 ? 0 : std::min<std::uint32_t>((num_below + step / 2) / step, 255));
    num_below += counts[x];
  }
  return table;
}

/// `factor` of a value and the rest of a blurred one, rounded down.
struct sharpening {
  explicit sharpening(double factor) : first(static_cast<float>(factor)), second(static_cast<float>(1 - factor)) {}

  [[nodiscard]] unsigned char operator()(int value, int blurred) const noexcept {
    const float mixed = first * static_cast<float>(value) + second * static_cast<float>(blurred);
    return static_cast<unsigned char>(static_cast<int>(std::min(std::max(mixed, 0.0F), 255.0F)));
  }

  float first;
  float second;
};

/// All but the first and the last pixel of a row that has neighbours above and below.
void sharpen_row(const std::array<const unsigned char*, 3>& rows, unsigned char* to, int num_bytes, int step,
                 const sharpening& mix) {
  const auto [above, here, below] = rows;
  for (int x = step; x < num_bytes - step; ++x) {
    const int around = above[x - step] + above[x] + above[x + step] + here[x - step] + here[x + step] + below[x - step]
                       + below[x] + below[x + step];
    const int blurred = (2 * (around + 5 * here[x]) + 13) / 26; // Weights 1 and 5 of 13, rounded to the nearest.
    to[x] = mix(here[x], blurred);
  }
}

} // namespace

void posterize(cv::Mat& pixels, int bits) {
  byte_table table;
  for (std::size_t x = 0; x < table.size(); ++x)
    table[x] = static_cast<unsigned char>(x & (0xFF00U >> bits));
  look_up(pixels, table);
}

void solarize(cv::Mat& pixels, double threshold) {
  byte_table table;
  for (std::size_t x = 0; x < table.size(); ++x)
    table[x] = static_cast<unsigned char>(static_cast<double>(x) >= threshold ? 255 - x : x);
  look_up(pixels, table);
}

void autocontrast(cv::Mat& pixels) {
  look_up_by_channel(pixels, stretched);
}

void equalize(cv::Mat& pixels) {
  look_up_by_channel(pixels, equalized);
}

void adjust_sharpness(const cv::Mat& from, cv::Mat& to, double factor) {
  if (std::min(from.rows, from.cols) <= 2) {
    from.copyTo(to);
    return;
  }
  const sharpening mix(factor);
  byte_table edge; // The edge is mixed with itself, which rounding may lower by one.
  for (int x = 0; x < 256; ++x)
    edge[static_cast<std::size_t>(x)] = mix(x, x);
  cv::LUT(from, cv::Mat(1, 256, CV_8UC1, edge.data()), to);
  const int step = from.channels();
  for (int y = 1; y + 1 < from.rows; ++y)
    sharpen_row({from.ptr<unsigned char>(y - 1), from.ptr<unsigned char>(y), from.ptr<unsigned char>(y + 1)},
                to.ptr<unsigned char>(y), from.cols * step, step, mix);
}

} // namespace troupe
