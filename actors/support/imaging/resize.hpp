/// Resizing as Pillow and torchvision do it.
#pragma once

#include <cstdint>
#include <opencv2/core/mat.hpp>
#include <vector>

namespace troupe {

enum class interpolation : std::uint8_t { nearest, bilinear, bicubic };

/// Memory of a resize, kept from image to image; one user at a time.
struct resize_scratch {
  std::vector<unsigned char> rows;
  std::vector<std::int32_t> weights;
  std::vector<double> exact_weights;
};

/// Resizes `box` (in pixel coordinates of `from`, inside it; edges may fall between pixels) to the size of `to`. CV_8UC(1..4) or
/// CV_16UC(1..4); `to` is allocated, of the type of `from`, and does not overlap it.
/// With `antialias` the filter widens with the scale when it shrinks, as in Pillow (whose results for 8 bits these are,
/// bit for bit); without, two (bilinear) or four (bicubic) neighbours count, as in OpenCV and torchvision on tensors.
/// `nearest` takes the pixel under the centre of the target pixel. Where a filter reaches past the box, pixels of `from`
/// around it count: to have the box's alone, pass a window of `from`.
void resize(const cv::Mat& from, const cv::Rect2d& box, cv::Mat& to, interpolation filter, bool antialias,
            resize_scratch& scratch);

} // namespace troupe
