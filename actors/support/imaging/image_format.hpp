/// The kinds of image files, by content and by name.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace troupe {

enum class image_format : std::uint8_t {
  unknown,
  jpeg,
  png,
  bmp,
  webp,
  tiff,
  jpeg2000,
  pnm,
  first_of_plugins = 128, ///< From here on: those of the decoders in the registry, in its order.
};

/// Decoders in the registry beyond that many are not used.
inline constexpr std::size_t max_plugin_formats = 128;

/// The format of the decoder at that place of the registry. @pre place < max_plugin_formats
[[nodiscard]] constexpr image_format plugin_format(std::size_t place) noexcept {
  return static_cast<image_format>(static_cast<std::size_t>(image_format::first_of_plugins) + place);
}

[[nodiscard]] constexpr bool is_of_plugin(image_format format) noexcept {
  return format >= image_format::first_of_plugins;
}

/// The decoder's place in the registry. @pre is_of_plugin(format)
[[nodiscard]] constexpr std::size_t place_of(image_format format) noexcept {
  return static_cast<std::size_t>(format) - static_cast<std::size_t>(image_format::first_of_plugins);
}

/// "JPEG", "PNG", ...; "unknown". Of plugins: the decoder's name.
[[nodiscard]] std::string_view name_of(image_format format) noexcept;

/// Returns the format that a file's extension promises, in whatever case: "a/b.JPG" is a JPEG. `unknown` if it promises
/// none of them. Plugins' decoders are asked for theirs at the first call, so all must be registered by then.
[[nodiscard]] image_format promised_format(std::string_view file_name) noexcept;

} // namespace troupe
