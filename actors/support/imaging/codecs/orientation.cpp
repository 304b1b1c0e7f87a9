#include "actors/support/imaging/codecs/orientation.hpp"

#include <opencv2/core.hpp>

namespace troupe {

namespace {

// From stored to oriented, a picture is first mirrored and then, for 5 to 8, transposed.

bool mirrors_x(std::uint8_t orientation) noexcept {
  return orientation == 2 || orientation == 3 || orientation == 7 || orientation == 8;
}

bool mirrors_y(std::uint8_t orientation) noexcept {
  return orientation == 3 || orientation == 4 || orientation == 6 || orientation == 7;
}

template <class Rect>
Rect transposed(const Rect& rect) noexcept {
  return {rect.y, rect.x, rect.height, rect.width};
}

template <class Rect>
Rect mirrored(Rect rect, cv::Size size, std::uint8_t orientation) noexcept {
  if (mirrors_x(orientation))
    rect.x = size.width - rect.x - rect.width;
  if (mirrors_y(orientation))
    rect.y = size.height - rect.y - rect.height;
  return rect;
}

void mirror(cv::Mat& pixels, bool x, bool y) {
  if (x || y)
    cv::flip(pixels, pixels, x && y ? -1 : x ? 1 : 0);
}

} // namespace

bool swaps_sides(std::uint8_t orientation) noexcept {
  return orientation >= 5;
}

cv::Rect to_stored(const cv::Rect& oriented, cv::Size stored, std::uint8_t orientation) noexcept {
  return mirrored(swaps_sides(orientation) ? transposed(oriented) : oriented, stored, orientation);
}

cv::Rect2d to_oriented(const cv::Rect2d& stored_rect, cv::Size stored, std::uint8_t orientation) noexcept {
  const auto turned = mirrored(stored_rect, stored, orientation);
  return swaps_sides(orientation) ? transposed(turned) : turned;
}

cv::Mat orient(cv::Mat stored, std::uint8_t orientation, pixel_buffer& memory) {
  if (!swaps_sides(orientation)) {
    mirror(stored, mirrors_x(orientation), mirrors_y(orientation));
    return stored;
  }
  auto turned = memory.image({stored.rows, stored.cols}, stored.type());
  cv::transpose(stored, turned);
  mirror(turned, mirrors_y(orientation), mirrors_x(orientation)); // What was x is y now.
  return turned;
}

} // namespace troupe
