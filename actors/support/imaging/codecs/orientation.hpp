/// The eight EXIF orientations: how a picture is stored, and how it is looked at.
#pragma once

#include "actors/support/imaging/codecs/pixel_buffer.hpp"

#include <cstdint>

namespace troupe {

/// True for the orientations that exchange width and height: 5..8.
[[nodiscard]] bool swaps_sides(std::uint8_t orientation) noexcept;

/// Where a rectangle of the oriented image lies in the stored one, whose size is `stored`.
[[nodiscard]] cv::Rect to_stored(const cv::Rect& oriented, cv::Size stored, std::uint8_t orientation) noexcept;

/// Where a rectangle of the stored image, whose size is `stored`, lies in the oriented one.
[[nodiscard]] cv::Rect2d to_oriented(const cv::Rect2d& stored_rect, cv::Size stored, std::uint8_t orientation) noexcept;

/// Turns stored pixels as they are looked at: within their own memory, or into `memory` where the sides are swapped.
[[nodiscard]] cv::Mat orient(cv::Mat stored, std::uint8_t orientation, pixel_buffer& memory);

} // namespace troupe
