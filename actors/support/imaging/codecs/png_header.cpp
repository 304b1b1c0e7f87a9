#include "actors/support/imaging/codecs/format_headers.hpp"
#include "actors/support/imaging/codecs/tiff_directory.hpp"

#include <optional>

namespace troupe {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t first_chunk = 8;
constexpr std::size_t chunk_frame_bytes = 12; // Length, name, checksum.

/// Where the chunk after that at `at` starts; past the end of the file if the chunk is cut off.
std::size_t after_chunk(const byte_view& view, std::size_t at) noexcept {
  return at + chunk_frame_bytes + view.u32(at);
}

/// Where the chunk `name` starts, if it is all there.
std::optional<std::size_t> find_chunk(const byte_view& view, std::string_view name) noexcept {
  for (auto at = first_chunk; view.has(at, chunk_frame_bytes); at = after_chunk(view, at))
    if (view.matches(at + 4, name))
      return after_chunk(view, at) <= view.size() ? std::optional{at} : std::nullopt;
  return std::nullopt;
}

/// Channels of a PNG colour type; 0 if there is no such type.
std::uint8_t num_channels(std::uint32_t colour_type) noexcept {
  switch (colour_type) {
  case 0:
  case 3:
    return 1;
  case 2:
    return 3;
  case 4:
    return 2;
  case 6:
    return 4;
  default:
    return 0;
  }
}

bool is_bit_depth(std::uint32_t bits) noexcept {
  return bits == 1 || bits == 2 || bits == 4 || bits == 8 || bits == 16;
}

} // namespace

expected<image_header> read_png_header(std::span<const std::byte> bytes) {
  const byte_view view{bytes};
  if (!view.has(first_chunk, chunk_frame_bytes + 13))
    return cut_off(image_format::png, bytes.size(), "33 bytes of header");
  if (view.u32(first_chunk) != 13 || !view.matches(12, "IHDR"sv))
    return damaged(image_format::png, "no IHDR in front, expected one of 13 bytes");
  const auto bits = view.u8(24);
  const auto colour_type = view.u8(25);
  if (!is_bit_depth(bits))
    return damaged(image_format::png, "bit depth " + std::to_string(bits) + ", expected 1, 2, 4, 8 or 16");
  if (num_channels(colour_type) == 0)
    return damaged(image_format::png, "colour type " + std::to_string(colour_type) + ", expected 0, 2, 3, 4 or 6");
  image_header header;
  header.width = view.u32(16);
  header.height = view.u32(20);
  header.bits = static_cast<std::uint8_t>(bits);
  header.channels = num_channels(colour_type);
  if (const auto exif = find_chunk(view, "eXIf"sv))
    header.orientation = exif_orientation(view.part(*exif + 8, view.u32(*exif)));
  return header;
}

expected<void> check_png_complete(std::span<const std::byte> bytes) {
  if (!find_chunk(byte_view{bytes}, "IEND"sv))
    return cut_off(image_format::png, bytes.size(), "an IEND chunk at its end");
  return {};
}

} // namespace troupe
