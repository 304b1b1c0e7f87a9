#include "actors/support/imaging/codecs/format_headers.hpp"

namespace troupe {

namespace {

constexpr std::size_t core_header_bytes = 12; // OS/2.
constexpr std::size_t info_header_bytes = 40; // Windows; later ones are longer.

struct bmp_layout {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t bits_per_pixel = 0;
  bool compressed = false;
  std::uint64_t pixel_bytes = 0; ///< Bytes of pixels from `pixels_at` on.
  std::uint64_t pixels_at = 0;
};

/// The absolute value of a height, which is negative if the rows come from top to bottom.
std::uint32_t rows(std::uint32_t height) noexcept {
  return height > 0x7fffffff ? 0u - height : height;
}

bmp_layout read_layout(const byte_view& view) noexcept {
  bmp_layout layout;
  layout.pixels_at = view.u32(10);
  if (view.u32(14) == core_header_bytes) {
    layout.width = view.u16(18);
    layout.height = view.u16(20);
    layout.bits_per_pixel = view.u16(24);
  } else {
    layout.width = view.u32(18);
    layout.height = rows(view.u32(22));
    layout.bits_per_pixel = view.u16(28);
    const auto compression = view.u32(30);
    layout.compressed = compression != 0 && compression != 3 && compression != 6; // 3, 6: bit fields.
  }
  const auto row_bytes = (std::uint64_t{layout.width} * layout.bits_per_pixel + 31) / 32 * 4;
  layout.pixel_bytes = layout.compressed ? view.u32(34) : row_bytes * layout.height;
  return layout;
}

std::uint8_t num_channels(std::uint32_t bits_per_pixel) noexcept {
  return bits_per_pixel <= 8 ? 1 : bits_per_pixel == 32 ? 4 : 3;
}

} // namespace

expected<image_header> read_bmp_header(std::span<const std::byte> bytes) {
  const byte_view view{bytes, byte_order::little};
  const auto header_bytes = view.u32(14);
  if (!view.has(0, 18) || !view.has(14, header_bytes))
    return cut_off(image_format::bmp, bytes.size(), "its header");
  if (header_bytes != core_header_bytes && header_bytes < info_header_bytes)
    return damaged(image_format::bmp,
                   "information of " + std::to_string(header_bytes) + " bytes, expected 12, or 40 and more");
  const auto layout = read_layout(view);
  const auto depth = layout.bits_per_pixel;
  if (depth != 1 && depth != 4 && depth != 8 && depth != 16 && depth != 24 && depth != 32)
    return damaged(image_format::bmp, std::to_string(depth) + " bits per pixel, expected 1, 4, 8, 16, 24 or 32");
  image_header header;
  header.width = layout.width;
  header.height = layout.height;
  header.channels = num_channels(depth);
  header.bits = static_cast<std::uint8_t>(depth < 8 ? depth : 8);
  return header;
}

expected<void> check_bmp_complete(std::span<const std::byte> bytes) {
  const auto layout = read_layout(byte_view{bytes, byte_order::little});
  // The row of the top may come without its padding.
  if (layout.pixels_at + layout.pixel_bytes > bytes.size() + 3)
    return cut_off(image_format::bmp, bytes.size(),
                   std::to_string(layout.pixel_bytes) + " bytes of pixels from byte "
                     + std::to_string(layout.pixels_at));
  return {};
}

} // namespace troupe
