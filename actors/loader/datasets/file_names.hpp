/// What the names of files tell, and how they are shown.
#pragma once

#include <string>
#include <string_view>

namespace troupe {

/// True for the names of image files, by extension: jpg jpeg jpe png bmp dib webp tif tiff jp2 j2k pbm pgm ppm pnm and
/// those of plugins' decoders, in whatever case. Windows' Thumbs.db and names that begin with a dot are none.
[[nodiscard]] bool is_image_name(std::string_view name) noexcept;

/// True for what programs leave behind, as files or folders: names that begin with a dot, and __MACOSX.
[[nodiscard]] bool is_clutter(std::string_view name) noexcept;

/// Returns the part behind the last slash.
[[nodiscard]] std::string_view base_name(std::string_view path) noexcept;

/// Returns `path` so that it fits a line of valid UTF-8: control characters and bytes that are no UTF-8 become "\x0a".
[[nodiscard]] std::string printable_path(std::string_view path);

} // namespace troupe
