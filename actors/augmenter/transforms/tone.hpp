/// What torchvision's automatic augmentations do to the tones of 8-bit pixels, as for uint8 tensors. All of these take
/// CV_8UC1 or CV_8UC3; none allocates.
#pragma once

#include <opencv2/core/mat.hpp>

namespace troupe {

/// Keeps the upper `bits` of every value, 0..8; in place.
void posterize(cv::Mat& pixels, int bits);

/// Inverts all values of at least `threshold`; in place.
void solarize(cv::Mat& pixels, double threshold);

/// Stretches every channel to 0..255; in place.
void autocontrast(cv::Mat& pixels);

/// Makes the values of every channel about equally frequent; in place.
void equalize(cv::Mat& pixels);

/// Writes to `to` a mixture of `from` and a blurred `from`: `factor` 0 blurs, 1 changes nothing, more sharpens. The
/// outermost pixels are not blurred, and images with a side of at most 2 stay as they are. @pre `to` has the shape of `from`, elsewhere
void adjust_sharpness(const cv::Mat& from, cv::Mat& to, double factor);

} // namespace troupe
