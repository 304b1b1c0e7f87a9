#include "actors/support/imaging/codecs/format_headers.hpp"

#include <algorithm>
#include <limits>
#include <optional>

namespace troupe {

namespace {

using namespace std::string_view_literals;

struct byte_range {
  std::size_t begin = 0;
  std::uint64_t end = 0; ///< May lie past the end of the file.
};

/// The codestream: the file, or what its box of contiguous codestream holds.
std::optional<byte_range> find_codestream(const byte_view& view) noexcept {
  if (view.matches(0, "\xff\x4f"sv))
    return byte_range{0, view.size()};
  for (std::uint64_t at = 0; at <= view.size() && view.has(at, 8);) {
    std::uint64_t length = view.u32(at);
    std::uint64_t head = 8;
    if (length == 1) { // The length stands in eight bytes of its own.
      length = std::uint64_t{view.u32(at + 8)} << 32 | view.u32(at + 12);
      head = 16;
    } else if (length == 0) { // To the end of the file.
      length = view.size() - at;
    }
    if (length < head || length > std::numeric_limits<std::uint64_t>::max() - at)
      return std::nullopt;
    if (view.matches(at + 4, "jp2c"sv))
      return byte_range{at + head, at + length};
    at += length;
  }
  return std::nullopt;
}

} // namespace

expected<image_header> read_jpeg2000_header(std::span<const std::byte> bytes) {
  const byte_view view{bytes};
  const auto codestream = find_codestream(view);
  if (!codestream || !view.has(codestream->begin, 45))
    return cut_off(image_format::jpeg2000, bytes.size(), "a codestream with a header of 45 bytes");
  const auto at = codestream->begin;
  if (!view.matches(at, "\xff\x4f\xff\x51"sv))
    return damaged(image_format::jpeg2000, "the codestream starts with other markers, expected SOC and SIZ");
  const auto right = view.u32(at + 8);
  const auto bottom = view.u32(at + 12);
  const auto left = view.u32(at + 16);
  const auto top = view.u32(at + 20);
  if (right <= left || bottom <= top)
    return damaged(image_format::jpeg2000, "the image is empty, expected 1x1 pixels or more");
  image_header header;
  header.width = right - left;
  header.height = bottom - top;
  header.channels = static_cast<std::uint8_t>(std::min(view.u16(at + 40), 255u));
  header.bits = static_cast<std::uint8_t>((view.u8(at + 42) & 0x7f) + 1);
  return header;
}

expected<void> check_jpeg2000_complete(std::span<const std::byte> bytes) {
  const byte_view view{bytes};
  const auto codestream = find_codestream(view);
  if (!codestream || codestream->end > bytes.size())
    return cut_off(image_format::jpeg2000, bytes.size(), "the whole codestream");
  // Where no box says how long it is, its last marker does: EOC.
  if (codestream->end < codestream->begin + 2 || !view.matches(codestream->end - 2, "\xff\xd9"sv))
    return cut_off(image_format::jpeg2000, bytes.size(), "an end-of-codestream marker");
  return {};
}

} // namespace troupe
