/// JPEG files to pixels by libjpeg-turbo: no more of the file than is needed, at no larger a scale.
#pragma once

#include "actors/support/expected.hpp"

#include <cstddef>
#include <memory>
#include <opencv2/core/mat.hpp>
#include <span>

namespace troupe {

/// What to decode of a JPEG.
struct jpeg_window {
  int eighths = 8;   ///< The scale: 8, 4, 2 or 1. Sides are ceil(side * eighths / 8) pixels long then.
  cv::Rect rect;     ///< In pixels of the scaled image, not empty, inside it.
  bool grey = false; ///< One channel instead of RGB.
};

/// Decodes JPEGs, one at a time, for one thread; keeps its memory from image to image. Prints nothing.
class jpeg_decoder {
public:
  jpeg_decoder();
  ~jpeg_decoder();
  jpeg_decoder(const jpeg_decoder&) = delete;
  jpeg_decoder& operator=(const jpeg_decoder&) = delete;

  /// Returns the window's pixels: 8 bits, RGB or grey, as stored (not oriented), the same as a decoder of the whole
  /// image has there. The memory is the decoder's: valid until its next call. Rows above the window are read but not
  /// transformed, rows below it not even read; a file of several scans (progressive) is decoded from its first row on.
  /// Errors: corrupt for a file without an end, and for damage up to the window's last row; unsupported. Each with
  /// libjpeg's own words.
  [[nodiscard]] expected<cv::Mat> decode(std::span<const std::byte> bytes, const jpeg_window& window);

private:
  struct state;
  std::unique_ptr<state> state_;
};

} // namespace troupe
