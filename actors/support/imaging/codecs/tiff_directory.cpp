#include "actors/support/imaging/codecs/tiff_directory.hpp"

#include <algorithm>

namespace troupe {

namespace {

using namespace std::string_view_literals;

constexpr std::size_t entry_bytes = 12;

/// Bytes of a value of the types BYTE, SHORT and LONG; 0 for all others.
std::size_t value_size(std::uint32_t type) noexcept {
  switch (type) {
  case 1:
    return 1;
  case 3:
    return 2;
  case 4:
    return 4;
  default:
    return 0;
  }
}

} // namespace

std::optional<tiff_directory> tiff_directory::find(std::span<const std::byte> bytes) noexcept {
  const byte_view start{bytes};
  const bool little = start.matches(0, "II*\0"sv);
  if (!little && !start.matches(0, "MM\0*"sv))
    return std::nullopt;
  tiff_directory found{bytes, little ? byte_order::little : byte_order::big};
  const std::size_t at = found.view_.u32(4);
  if (at < 8 || !found.view_.has(at, 2))
    return std::nullopt;
  found.first_entry_ = at + 2;
  const std::size_t room = (bytes.size() - found.first_entry_) / entry_bytes;
  found.num_entries_ = std::min<std::size_t>(found.view_.u16(at), room);
  return found;
}

std::optional<tiff_field> tiff_directory::field(std::uint32_t tag) const noexcept {
  for (std::size_t i = 0; i < num_entries_; ++i) {
    const auto entry = first_entry_ + i * entry_bytes;
    if (view_.u16(entry) != tag)
      continue;
    const auto size = value_size(view_.u16(entry + 2));
    const std::size_t count = view_.u32(entry + 4);
    const auto at = size * count <= 4 ? entry + 8 : view_.u32(entry + 8);
    if (size == 0 || count == 0 || !view_.has(at, size * count))
      return std::nullopt;
    return tiff_field{at, size, count};
  }
  return std::nullopt;
}

std::uint32_t tiff_directory::value(const tiff_field& field, std::size_t index) const noexcept {
  const auto at = field.at + index * field.value_bytes;
  switch (field.value_bytes) {
  case 1:
    return view_.u8(at);
  case 2:
    return view_.u16(at);
  default:
    return view_.u32(at);
  }
}

std::uint32_t tiff_directory::value_or(std::uint32_t tag, std::uint32_t otherwise) const noexcept {
  const auto found = field(tag);
  return found ? value(*found, 0) : otherwise;
}

std::uint8_t tiff_directory::orientation() const noexcept {
  const auto found = value_or(tiff_tag::orientation, 1);
  return found >= 1 && found <= 8 ? static_cast<std::uint8_t>(found) : std::uint8_t{1};
}

std::uint8_t exif_orientation(std::span<const std::byte> exif) noexcept {
  const byte_view view{exif};
  const auto directory = tiff_directory::find(view.matches(0, "Exif\0\0"sv) ? exif.subspan(6) : exif);
  return directory ? directory->orientation() : std::uint8_t{1};
}

} // namespace troupe
