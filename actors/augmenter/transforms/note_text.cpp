#include "actors/augmenter/transforms/note_text.hpp"

#include <array>
#include <charconv>
#include <cmath>

namespace troupe {

std::string text_of(double x) {
  constexpr double millionths = 1e6;
  const double rounded = std::round(x * millionths) / millionths + 0.0; // The sum makes -0 a 0.
  std::array<char, 32> text;
  const auto end = std::to_chars(text.data(), text.data() + text.size(), rounded, std::chars_format::fixed).ptr;
  return {text.data(), end};
}

std::string text_of(cv::Size size) {
  return std::to_string(size.height) + " x " + std::to_string(size.width);
}

std::string text_of(cv::Point2d at) {
  return "(y " + text_of(at.y) + ", x " + text_of(at.x) + ")";
}

std::string text_of(const cv::Rect& window) {
  return text_of(window.size()) + " at " + text_of(cv::Point2d(window.tl()));
}

} // namespace troupe
