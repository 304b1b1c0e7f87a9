#include "actors/support/imaging/codecs/format_headers.hpp"
#include "actors/support/imaging/codecs/tiff_directory.hpp"

#include <algorithm>

namespace troupe {

namespace {

using namespace std::string_view_literals;

/// SOF0..SOF15 without the three markers in between that are something else: DHT, JPG, DAC.
bool starts_frame(std::uint32_t marker) noexcept {
  return marker >= 0xc0 && marker <= 0xcf && marker != 0xc4 && marker != 0xc8 && marker != 0xcc;
}

bool has_no_length(std::uint32_t marker) noexcept {
  return marker == 0x01 || (marker >= 0xd0 && marker <= 0xd8);
}

/// Where the next marker's code stands, at or after `at`; the end if there is none.
std::size_t next_marker(const byte_view& view, std::size_t at) noexcept {
  while (at < view.size() && view.u8(at) != 0xff)
    ++at;
  while (at < view.size() && view.u8(at) == 0xff)
    ++at;
  return at;
}

void read_frame(const byte_view& view, std::size_t at, image_header& header) noexcept {
  header.bits = static_cast<std::uint8_t>(std::min(view.u8(at + 2), 16u));
  header.height = view.u16(at + 3);
  header.width = view.u16(at + 5);
  header.channels = static_cast<std::uint8_t>(view.u8(at + 7));
}

} // namespace

expected<image_header> read_jpeg_header(std::span<const std::byte> bytes) {
  const byte_view view{bytes};
  image_header header;
  bool frame_found = false;
  bool exif_found = false;
  for (auto at = next_marker(view, 2); at < view.size(); at = next_marker(view, at)) {
    const auto marker = view.u8(at++);
    if (has_no_length(marker) || marker == 0)
      continue;
    if (marker == 0xd9 || marker == 0xda) // The end, or the first scan: headers are over.
      break;
    const auto length = view.u16(at);
    if (length < 2)
      return damaged(image_format::jpeg, "a segment of " + std::to_string(length) + " bytes at byte "
                                           + std::to_string(at) + ", expected 2 or more");
    if (!view.has(at, length))
      break;
    if (starts_frame(marker) && !frame_found && length >= 8) {
      read_frame(view, at, header);
      frame_found = true;
    } else if (marker == 0xe1 && !exif_found && view.matches(at + 2, "Exif\0\0"sv)) {
      header.orientation = exif_orientation(view.part(at + 2, length - 2));
      exif_found = true;
    }
    at += length;
  }
  if (!frame_found)
    return cut_off(image_format::jpeg, bytes.size(), "a frame header (SOF) before the first scan");
  return header;
}

} // namespace troupe
