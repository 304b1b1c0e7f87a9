#include "actors/support/imaging/codecs/format_headers.hpp"
#include "actors/support/imaging/codecs/tiff_directory.hpp"

#include <algorithm>

namespace troupe {

namespace {

/// Checks that every strip, or tile, lies inside the file.
expected<void> check_blocks(const tiff_directory& directory, std::uint32_t offsets_tag, std::uint32_t counts_tag,
                            std::size_t num_bytes) {
  const auto offsets = directory.field(offsets_tag);
  const auto counts = directory.field(counts_tag);
  if (!offsets || !counts)
    return {};
  for (std::size_t i = 0; i < std::min(offsets->count, counts->count); ++i) {
    const auto end = std::uint64_t{directory.value(*offsets, i)} + directory.value(*counts, i);
    if (end > num_bytes)
      return cut_off(image_format::tiff, num_bytes,
                     "pixels up to byte " + std::to_string(end) + " (block " + std::to_string(i) + ")");
  }
  return {};
}

} // namespace

expected<image_header> read_tiff_header(std::span<const std::byte> bytes) {
  const auto directory = tiff_directory::find(bytes);
  if (!directory)
    return cut_off(image_format::tiff, bytes.size(), "a directory of tags");
  const auto width = directory->field(tiff_tag::width);
  const auto height = directory->field(tiff_tag::height);
  if (!width || !height)
    return cut_off(image_format::tiff, bytes.size(), "tags for the width and the height");
  image_header header;
  header.width = directory->value(*width, 0);
  header.height = directory->value(*height, 0);
  header.bits = static_cast<std::uint8_t>(std::clamp(directory->value_or(tiff_tag::bits_per_sample, 1), 1u, 64u));
  header.channels =
    static_cast<std::uint8_t>(std::clamp(directory->value_or(tiff_tag::samples_per_pixel, 1), 1u, 255u));
  header.orientation = directory->orientation();
  return header;
}

expected<void> check_tiff_complete(std::span<const std::byte> bytes) {
  const auto directory = tiff_directory::find(bytes);
  if (!directory)
    return cut_off(image_format::tiff, bytes.size(), "a directory of tags");
  if (!directory->field(tiff_tag::strip_offsets) && !directory->field(tiff_tag::tile_offsets))
    return cut_off(image_format::tiff, bytes.size(), "a tag that says where the pixels are");
  auto strips = check_blocks(*directory, tiff_tag::strip_offsets, tiff_tag::strip_byte_counts, bytes.size());
  if (!strips)
    return strips;
  return check_blocks(*directory, tiff_tag::tile_offsets, tiff_tag::tile_byte_counts, bytes.size());
}

} // namespace troupe
