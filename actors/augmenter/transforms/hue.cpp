#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/rgb_blocks.hpp"

namespace troupe {

namespace {

/// Single precision and the order of operations of tensors, so that results round alike.
struct hsv {
  float hue; ///< In turns, 0..1.
  float saturation;
  float value;
};

hsv to_hsv(float red, float green, float blue) noexcept {
  const float high = std::max(std::max(red, green), blue);
  const float low = std::min(std::min(red, green), blue);
  const bool grey = high == low;
  const float divisor = grey ? 1.0F : high - low;
  const float saturation = (high - low) / (grey ? 1.0F : high);
  const float r = (high - red) / divisor;
  const float g = (high - green) / divisor;
  const float b = (high - blue) / divisor;
  const float of_red = b - g;
  const float of_green = 2.0F + r - b;
  const float of_blue = 4.0F + g - r;
  const float sector = high == red ? of_red : (high == green ? of_green : of_blue);
  const float turns = sector / 6.0F + 1.0F;
  return {turns - static_cast<float>(static_cast<int>(turns)), saturation, high};
}

float within_unit(float x) noexcept {
  return std::min(std::max(x, 0.0F), 1.0F);
}

void store(const hsv& x, float& red, float& green, float& blue) noexcept {
  const float position = x.hue * 6.0F;
  const int whole = static_cast<int>(position);
  const float rest = position - static_cast<float>(whole);
  const int sector = whole == 6 ? 0 : whole;
  const float v = x.value;
  const float p = within_unit(v * (1.0F - x.saturation));
  const float q = within_unit(v * (1.0F - x.saturation * rest));
  const float t = within_unit(v * (1.0F - x.saturation * (1.0F - rest)));
  red = (sector == 0 || sector == 5 ? v : sector == 1 ? q : sector == 4 ? t : p) * 255.0F;
  green = (sector == 1 || sector == 2 ? v : sector == 0 ? t : sector == 3 ? q : p) * 255.0F;
  blue = (sector == 3 || sector == 4 ? v : sector == 2 ? t : sector == 5 ? q : p) * 255.0F;
}

} // namespace

void adjust_hue(cv::Mat& pixels, double turns) {
  if (pixels.channels() == 1)
    return;
  change_rgb(pixels, [turn = static_cast<float>(turns)](rgb_block& x, std::size_t n) {
    for (std::size_t i = 0; i < n; ++i) {
      auto colour = to_hsv(x.red[i] / 255.0F, x.green[i] / 255.0F, x.blue[i] / 255.0F);
      const float turned = colour.hue + turn;
      colour.hue = turned >= 1 ? turned - 1 : turned < 0 ? turned + 1 : turned;
      store(colour, x.red[i], x.green[i], x.blue[i]);
    }
  });
}

} // namespace troupe
