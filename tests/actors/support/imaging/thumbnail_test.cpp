#include "actors/support/imaging/thumbnail.hpp"

#include <opencv2/imgcodecs.hpp>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/support/imaging");

TEST_CASE("a small picture keeps its pixels") {
  const std::vector<unsigned char> rgb = {255, 0, 0, 0, 0, 255};
  const auto png = draw_thumbnail(rgb, 2, 1, 192);
  REQUIRE(png);
  const auto back = cv::imdecode(std::vector<unsigned char>(png->bytes.begin(), png->bytes.end()), cv::IMREAD_COLOR);
  REQUIRE(back.size() == cv::Size(2, 1));
  CHECK(back.at<cv::Vec3b>(0, 0) == cv::Vec3b(0, 0, 255));
  CHECK(back.at<cv::Vec3b>(0, 1) == cv::Vec3b(255, 0, 0));
}

TEST_CASE("a large picture is shrunk to its longer side") {
  const std::vector<unsigned char> rgb(std::size_t{3} * 1000 * 2, 77);
  const auto png = draw_thumbnail(rgb, 1000, 2, 100);
  REQUIRE(png);
  CHECK(png->width == 100);
  CHECK(png->height == 1);
}

TEST_CASE("bytes that are no such picture are refused") {
  const std::vector<unsigned char> rgb(5);
  const auto png = draw_thumbnail(rgb, 2, 1, 192);
  REQUIRE_FALSE(png);
  CHECK(png.error().code == ec::mismatch);
  CHECK(png.error().context == "thumbnail: 5 bytes, expected 3 x 2 x 1");
  CHECK_FALSE(draw_thumbnail({}, 0, 0, 192));
}
