/// One picture, small enough for a page of many.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/confusion_image.hpp"

#include <cstdint>
#include <span>

namespace troupe {

/// Returns the picture `rgb` (height x width x 3 bytes, row-major), shrunk if a side has more than `most_pixels`. Fails
/// with `mismatch` for another number of bytes, or none. Blocks for milliseconds.
[[nodiscard]] expected<png_image> draw_thumbnail(std::span<const unsigned char> rgb, std::uint32_t width,
                                                 std::uint32_t height, std::uint32_t most_pixels);

} // namespace troupe
