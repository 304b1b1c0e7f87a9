#include "actors/support/imaging/codecs/orientation.hpp"

#include <string>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

/// "ab/cd" for two rows of two pixels.
std::string text_of(const cv::Mat& pixels) {
  std::string text;
  for (int y = 0; y < pixels.rows; ++y) {
    text += y == 0 ? "" : "/";
    for (int x = 0; x < pixels.cols; ++x)
      text += static_cast<char>(*pixels.ptr(y, x));
  }
  return text;
}

/// a b
/// c d
/// e f, in `channels` equal channels.
cv::Mat letters(int type) {
  cv::Mat pixels(3, 2, type);
  for (int i = 0; i < 6; ++i)
    for (std::size_t byte = 0; byte < pixels.elemSize(); ++byte)
      pixels.ptr(i / 2, i % 2)[byte] = static_cast<unsigned char>('a' + i);
  return pixels;
}

const char* const oriented_letters[] = {"",        "ab/cd/ef", "ba/dc/fe", "fe/dc/ba", "ef/cd/ab",
                                        "ace/bdf", "eca/fdb",  "fdb/eca",  "bdf/ace"};

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("pixels are turned as EXIF says") {
    pixel_buffer memory;
    for (std::uint8_t orientation = 1; orientation <= 8; ++orientation)
      for (const int type : {CV_8UC1, CV_8UC3, CV_16UC1, CV_16UC3}) {
        CAPTURE(orientation);
        CAPTURE(type);
        CHECK(text_of(orient(letters(type), orientation, memory)) == oriented_letters[orientation]);
      }
  }

  TEST_CASE("turning the stored part of a rectangle gives the rectangle of the turned image") {
    pixel_buffer memory;
    pixel_buffer part_memory;
    const cv::Size stored{2, 3};
    for (std::uint8_t orientation = 1; orientation <= 8; ++orientation) {
      const auto all = orient(letters(CV_8UC1), orientation, memory).clone();
      for (int x = 0; x < all.cols; ++x)
        for (int y = 0; y < all.rows; ++y) {
          const cv::Rect rect{x, y, all.cols - x, 1};
          const auto part = letters(CV_8UC1)(to_stored(rect, stored, orientation)).clone();
          CHECK(text_of(orient(part, orientation, part_memory)) == text_of(all(rect)));
        }
    }
  }

  TEST_CASE("rectangles go from oriented to stored and back") {
    const cv::Size stored{20, 30};
    const cv::Rect rect{3, 4, 5, 6};
    for (std::uint8_t orientation = 1; orientation <= 8; ++orientation)
      CHECK(to_oriented(cv::Rect2d(to_stored(rect, stored, orientation)), stored, orientation) == cv::Rect2d(rect));
    CHECK(to_oriented({0.25, 0.5, 10, 20}, stored, 6) == cv::Rect2d{9.5, 0.25, 20, 10});
  }
}
