/// Image files of all formats but JPEG to pixels, by OpenCV's decoders.
#pragma once

#include "actors/support/imaging/image_header.hpp"

#include <opencv2/core/mat.hpp>

namespace troupe {

/// What the pixels are to become.
struct pixel_layout {
  std::int64_t channels = 3; ///< 3: RGB; 1: grey.
  std::int64_t bits = 8;     ///< 8 or 16.
};

/// Returns the whole image, as stored (not oriented): grey repeated where colours are wanted, palettes looked up, alpha
/// dropped, values spread over the whole range of `bits`. Errors: corrupt, also for a file that ends early;
/// unsupported. Exceptions of OpenCV never leave.
[[nodiscard]] expected<cv::Mat> decode_with_opencv(std::span<const std::byte> bytes, const image_header& header,
                                                   const pixel_layout& wanted);

} // namespace troupe
