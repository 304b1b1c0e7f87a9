/// A fingerprint of an image, to tell whether an image that is made again is the same.
#pragma once

#include <cstdint>
#include <opencv2/core/mat.hpp>

namespace troupe {

/// Returns XXH3_64bits (xxHash by Yann Collet; its values are fixed since version 0.8) of the rows' bytes, seeded with height,
/// width, channels and bits per channel. The same for a window into a larger image as for a copy of it, on every thread
/// and machine of one byte order. No protection against images made to collide. Allocates nothing.
/// @pre at most two dimensions
[[nodiscard]] std::uint64_t pixel_hash(const cv::Mat& pixels) noexcept;

} // namespace troupe
