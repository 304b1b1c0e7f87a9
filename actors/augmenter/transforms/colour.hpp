/// What torchvision does to the colours of 8-bit pixels, with the formulas that it uses for uint8 tensors. All of these
/// take CV_8UC1 or CV_8UC3 (RGB) and change it in place; none allocates. `factor` >= 0; 1 changes nothing.
#pragma once

#include <opencv2/core/mat.hpp>

namespace troupe {

/// Multiplies; 0 gives black.
void adjust_brightness(cv::Mat& pixels, double factor);

/// Stretches about the mean luma; 0 gives a plain grey image.
void adjust_contrast(cv::Mat& pixels, double factor);

/// Stretches about each pixel's luma; 0 gives a grey image. Leaves images of one channel alone.
void adjust_saturation(cv::Mat& pixels, double factor);

/// Turns the hue by `turns`, -0.5..0.5. Leaves images of one channel alone.
void adjust_hue(cv::Mat& pixels, double turns);

/// Sets all channels to the luma 0.2989 R + 0.587 G + 0.114 B, rounded down. Leaves images of one channel alone.
void to_grayscale(cv::Mat& pixels);

} // namespace troupe
