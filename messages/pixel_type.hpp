/// How the numbers of a batch are stored.
#pragma once

#include <cstddef>
#include <cstdint>

namespace troupe {

enum class pixel_type : std::uint8_t {
  float32,  ///< IEEE 754 binary32.
  bfloat16, ///< The upper half of a float32, rounded to nearest even.
};

[[nodiscard]] constexpr std::size_t bytes_per_pixel_value(pixel_type type) noexcept {
  return type == pixel_type::float32 ? 4 : 2;
}

} // namespace troupe
