/// Short texts in pictures for people, in OpenCV's plain font.
#pragma once

#include <opencv2/imgproc.hpp>
#include <string>

namespace troupe {

inline constexpr int caption_font = cv::FONT_HERSHEY_SIMPLEX;

/// Pixels that the text takes at that scale.
[[nodiscard]] int caption_width(const std::string& text, double scale);

/// The text in the font's characters, printable ASCII, cut so that it is at most `room` pixels wide.
[[nodiscard]] std::string fitting_caption(std::string text, int room, double scale);

} // namespace troupe
