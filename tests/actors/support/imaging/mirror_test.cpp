#include "actors/support/imaging/mirror.hpp"

#include <opencv2/core.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("a mirrored image is what OpenCV makes of it, for every width, type and window") {
    cv::RNG random(7);
    for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3})
      for (int width = 1; width <= 40; ++width) {
        CAPTURE(type);
        CAPTURE(width);
        cv::Mat around(5, width + 3, type);
        random.fill(around, cv::RNG::UNIFORM, 0, 256);
        const cv::Mat image = around(cv::Rect(1, 1, width, 3));
        cv::Mat expected_image;
        cv::flip(image, expected_image, 1);
        // One pixel more behind each row would show what is written past its end.
        cv::Mat target(3, width + 1, type, cv::Scalar::all(99));
        cv::Mat to = target(cv::Rect(0, 0, width, 3));
        mirror(image, to);
        CHECK(cv::norm(to, expected_image, cv::NORM_INF) == 0);
        CHECK(cv::norm(target.col(width), cv::Mat(3, 1, type, cv::Scalar::all(99)), cv::NORM_INF) == 0);
      }
  }

  TEST_CASE("the plain row and the fast one agree") {
    cv::Mat row(1, 223, CV_8UC3), fast(1, 223, CV_8UC3), plain(1, 223, CV_8UC3);
    cv::RNG(3).fill(row, cv::RNG::UNIFORM, 0, 256);
    mirror(row, fast);
    mirror_rgb_row(row.ptr(), plain.ptr(), row.cols);
    CHECK(cv::norm(fast, plain, cv::NORM_INF) == 0);
  }

} // TEST_SUITE
