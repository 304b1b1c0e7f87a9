/// The extents of an image.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

namespace troupe {

struct image_shape {
  int channels = 0;
  int height = 0;
  int width = 0;
  friend bool operator==(const image_shape&, const image_shape&) = default;

  [[nodiscard]] std::size_t num_elements() const noexcept {
    return static_cast<std::size_t>(channels) * static_cast<std::size_t>(height) * static_cast<std::size_t>(width);
  }
};

/// "3x224x224"
[[nodiscard]] inline std::string to_string(const image_shape& x) {
  return std::to_string(x.channels) + "x" + std::to_string(x.height) + "x" + std::to_string(x.width);
}

} // namespace troupe
