/// Words for what a transform drew: see `working_image::note`.
#pragma once

#include <opencv2/core/types.hpp>
#include <string>

namespace troupe {

/// "-12.3": at most six decimals. @pre |x| < 1e9
[[nodiscard]] std::string text_of(double x);

/// "28 x 32": height x width.
[[nodiscard]] std::string text_of(cv::Size size);

/// "(y 3, x 1)"
[[nodiscard]] std::string text_of(cv::Point2d at);

/// "28 x 32 at (y 3, x 1)"
[[nodiscard]] std::string text_of(const cv::Rect& window);

} // namespace troupe
