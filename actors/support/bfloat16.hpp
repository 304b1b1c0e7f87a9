/// Numbers of 16 bits and back.
#pragma once

#include <bit>
#include <cstdint>

namespace troupe {

[[nodiscard]] inline float from_bfloat16(std::uint16_t bf16) noexcept {
  return std::bit_cast<float>(static_cast<std::uint32_t>(bf16) << 16);
}

/// To nearest, ties to even; a NaN stays one.
[[nodiscard]] inline std::uint16_t to_bfloat16(float x) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(x);
  const auto rounded = static_cast<std::uint16_t>((bits + 0x7FFF + ((bits >> 16) & 1)) >> 16);
  return x == x ? rounded : static_cast<std::uint16_t>((bits >> 16) | 0x40);
}

} // namespace troupe
