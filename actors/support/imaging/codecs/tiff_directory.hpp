/// The first directory of a TIFF file, or of the EXIF data inside another file: the same layout.
#pragma once

#include "actors/support/imaging/codecs/byte_view.hpp"

#include <optional>

namespace troupe {

/// Where the values of one tag stand.
struct tiff_field {
  std::size_t at = 0;          ///< Offset of the first value.
  std::size_t value_bytes = 0; ///< 1, 2 or 4 per value.
  std::size_t count = 0;       ///< Values; all of them lie inside the file.
};

namespace tiff_tag {
inline constexpr std::uint32_t width = 256, height = 257, bits_per_sample = 258, photometric = 262, strip_offsets = 273,
                               orientation = 274, samples_per_pixel = 277, strip_byte_counts = 279, tile_offsets = 324,
                               tile_byte_counts = 325, extra_samples = 338, sample_format = 339;
} // namespace tiff_tag

class tiff_directory {
public:
  /// Finds the directory; nothing if `bytes` do not start as a TIFF of either byte order or end before it.
  [[nodiscard]] static std::optional<tiff_directory> find(std::span<const std::byte> bytes) noexcept;

  /// The integers of a tag; nothing if the tag is missing, holds something else, or points out of the file.
  [[nodiscard]] std::optional<tiff_field> field(std::uint32_t tag) const noexcept;

  [[nodiscard]] std::uint32_t value(const tiff_field& field, std::size_t index) const noexcept;

  /// The first integer of a tag, or `otherwise`.
  [[nodiscard]] std::uint32_t value_or(std::uint32_t tag, std::uint32_t otherwise) const noexcept;

  /// 1..8; 1 if there is none or it is out of range.
  [[nodiscard]] std::uint8_t orientation() const noexcept;

  [[nodiscard]] byte_order order() const noexcept { return order_; }

private:
  tiff_directory(std::span<const std::byte> bytes, byte_order order) noexcept : view_(bytes, order), order_(order) {}

  byte_view view_;
  byte_order order_;
  std::size_t first_entry_ = 0;
  std::size_t num_entries_ = 0;
};

/// The orientation in EXIF data, with or without the "Exif" that JPEG puts in front: 1..8; 1 for none and for data that
/// are damaged.
[[nodiscard]] std::uint8_t exif_orientation(std::span<const std::byte> exif) noexcept;

} // namespace troupe
