/// The kinds of image files, by content and by name.
#pragma once

#include <cstdint>
#include <string_view>

namespace troupe {

enum class image_format : std::uint8_t { unknown, jpeg, png, bmp, webp, tiff, jpeg2000, pnm };

/// "JPEG", "PNG", ...; "unknown".
[[nodiscard]] std::string_view name_of(image_format format) noexcept;

/// Returns the format that a file's extension promises, in whatever case: "a/b.JPG" is a JPEG. `unknown` if it promises
/// none of them.
[[nodiscard]] image_format promised_format(std::string_view file_name) noexcept;

} // namespace troupe
