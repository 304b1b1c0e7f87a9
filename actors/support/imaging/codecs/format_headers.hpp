/// The header of each image format, and whether a file of it is all there. For `image_header.cpp` and the decoders.
#pragma once

#include "actors/support/imaging/codecs/byte_view.hpp"
#include "actors/support/imaging/image_header.hpp"

#include <string>

namespace troupe {

// One reader per format; each expects bytes that `sniff_image_format` gives to it. Errors as `read_image_header`.
[[nodiscard]] expected<image_header> read_jpeg_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_png_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_bmp_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_webp_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_tiff_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_jpeg2000_header(std::span<const std::byte> bytes);
[[nodiscard]] expected<image_header> read_pnm_header(std::span<const std::byte> bytes);

// Whether all the bytes are there that the file says it has: decoders are known to fill in for missing ones, with grey
// or with what was in memory. Errors: corrupt.
[[nodiscard]] expected<void> check_png_complete(std::span<const std::byte> bytes);
[[nodiscard]] expected<void> check_bmp_complete(std::span<const std::byte> bytes);
[[nodiscard]] expected<void> check_webp_complete(std::span<const std::byte> bytes);
[[nodiscard]] expected<void> check_tiff_complete(std::span<const std::byte> bytes);
[[nodiscard]] expected<void> check_jpeg2000_complete(std::span<const std::byte> bytes);
[[nodiscard]] expected<void> check_pnm_complete(std::span<const std::byte> bytes);

/// The largest value that a sample of this PNM file can have: 1..65535.
/// @pre `read_pnm_header` returned a header for it
[[nodiscard]] std::uint32_t pnm_max_value(std::span<const std::byte> bytes) noexcept;

/// True for P5 and P6, whose samples are bytes, not text.
[[nodiscard]] bool has_byte_samples(std::span<const std::byte> bytes) noexcept;

/// "JPEG is cut off after 12 bytes, expected a frame header".
[[nodiscard]] inline failure cut_off(image_format format, std::size_t num_bytes, std::string_view wanted) {
  return {ec::corrupt, std::string{name_of(format)} + " is cut off after " + std::to_string(num_bytes)
                         + " bytes, expected " + std::string{wanted}};
}

/// "PNG header is damaged: bit depth 7, expected 1, 2, 4, 8 or 16".
[[nodiscard]] inline failure damaged(image_format format, const std::string& found_and_expected) {
  return {ec::corrupt, std::string{name_of(format)} + " header is damaged: " + found_and_expected};
}

} // namespace troupe
