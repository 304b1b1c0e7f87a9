/// Mirroring, faster than OpenCV does it for three channels.
#pragma once

#include <opencv2/core/mat.hpp>

namespace troupe {

/// Writes `from` to `to`, left and right swapped: what cv::flip(from, to, 1) does. `to` is allocated, of the size and type of
/// `from`, and does not overlap it.
void mirror(const cv::Mat& from, cv::Mat& to);

/// The same for one row of 8-bit RGB, without instructions that a machine may lack: what the others are compared with.
void mirror_rgb_row(const unsigned char* from, unsigned char* to, int num_pixels) noexcept;

} // namespace troupe
