/// The extents of an image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace troupe {

/// Longest side of an image on its way through the transforms, in pixels.
inline constexpr std::int64_t max_image_side = 32767;

/// Height and width 0: they differ from image to image.
struct image_shape {
  int channels = 0;
  int height = 0;
  int width = 0;
  int bits = 8; ///< 8 or 16 per channel.
  friend bool operator==(const image_shape&, const image_shape&) = default;

  [[nodiscard]] bool fixed() const noexcept { return height > 0 && width > 0; }
  [[nodiscard]] std::size_t num_elements() const noexcept {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  }
};

/// "3x224x224"
[[nodiscard]] inline std::string to_string(const image_shape& x) {
  return std::to_string(x.channels) + "x" + std::to_string(x.height) + "x" + std::to_string(x.width);
}

} // namespace troupe
