/// What an image file says of itself, read without decoding a pixel.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/image_format.hpp"

#include <cstddef>
#include <cstdint>
#include <opencv2/core/types.hpp>
#include <span>

namespace troupe {

/// Tells the format by the first bytes, never by a name.
[[nodiscard]] image_format sniff_image_format(std::span<const std::byte> bytes) noexcept;

struct image_header {
  image_format format = image_format::unknown;
  std::uint32_t width = 0;      ///< As stored, before the orientation is applied; at least 1.
  std::uint32_t height = 0;     ///< As stored; at least 1.
  std::uint8_t channels = 3;    ///< As stored: 1 grey (or palette index), 2 grey and alpha, 3, 4; CMYK is 4.
  std::uint8_t bits = 8;        ///< Per channel, as stored: 1..16 (32 for float).
  std::uint8_t orientation = 1; ///< EXIF tag 0x0112, 1..8; 1 where there is none or it is out of range.

  /// Size after the orientation is applied.
  [[nodiscard]] cv::Size oriented_size() const noexcept;
};

/// Returns the header of an image file of a built-in format (`image_decoder::read_header` knows those of plugins, too).
/// Reads the few bytes it needs, whatever sizes they claim; allocates nothing that
/// depends on them. Errors: unsupported for content that is no image of a known format; corrupt for a header that is
/// cut off, damaged or claims an empty image. The text says what was found and what was expected, without a name.
[[nodiscard]] expected<image_header> read_image_header(std::span<const std::byte> bytes);

} // namespace troupe
