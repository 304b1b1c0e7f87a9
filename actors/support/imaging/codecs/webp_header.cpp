#include "actors/support/imaging/codecs/format_headers.hpp"
#include "actors/support/imaging/codecs/tiff_directory.hpp"

namespace troupe {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t first_chunk = 12;
constexpr std::size_t first_content = 20;

void read_lossy(const byte_view& view, image_header& header) noexcept {
  header.width = view.u16(first_content + 6) & 0x3fff;
  header.height = view.u16(first_content + 8) & 0x3fff;
}

void read_lossless(const byte_view& view, image_header& header) noexcept {
  const auto packed = view.u32(first_content + 1);
  header.width = (packed & 0x3fff) + 1;
  header.height = (packed >> 14 & 0x3fff) + 1;
  header.channels = (packed >> 28 & 1) != 0 ? 4 : 3;
}

std::uint8_t find_orientation(const byte_view& view) noexcept {
  for (std::size_t at = first_chunk; view.has(at, 8);) {
    const std::size_t length = view.u32(at + 4);
    if (view.matches(at, "EXIF"sv))
      return exif_orientation(view.part(at + 8, length));
    at += 8 + length + length % 2;
  }
  return 1;
}

void read_extended(const byte_view& view, image_header& header) noexcept {
  const auto flags = view.u8(first_content);
  header.width = view.u24(first_content + 4) + 1;
  header.height = view.u24(first_content + 7) + 1;
  header.channels = (flags & 0x10) != 0 ? 4 : 3;
  if ((flags & 0x08) != 0)
    header.orientation = find_orientation(view);
}

} // namespace

expected<image_header> read_webp_header(std::span<const std::byte> bytes) {
  const byte_view view{bytes, byte_order::little};
  if (!view.has(first_content, 10))
    return cut_off(image_format::webp, bytes.size(), "30 bytes of header");
  image_header header;
  if (view.matches(first_chunk, "VP8 "sv) && view.matches(first_content + 3, "\x9d\x01\x2a"sv)) {
    read_lossy(view, header);
  } else if (view.matches(first_chunk, "VP8L"sv) && view.u8(first_content) == 0x2f) {
    read_lossless(view, header);
  } else if (view.matches(first_chunk, "VP8X"sv)) {
    if ((view.u8(first_content) & 0x02) != 0)
      return failure{ec::unsupported, "WebP is an animation, expected a single picture"};
    read_extended(view, header);
  } else {
    return damaged(image_format::webp, "no picture in front, expected a VP8, VP8L or VP8X chunk");
  }
  return header;
}

expected<void> check_webp_complete(std::span<const std::byte> bytes) {
  const byte_view view{bytes, byte_order::little};
  const auto claimed = std::uint64_t{view.u32(4)} + 8;
  if (claimed > bytes.size())
    return cut_off(image_format::webp, bytes.size(), std::to_string(claimed) + " bytes");
  return {};
}

} // namespace troupe
