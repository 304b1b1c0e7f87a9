#include "actors/plugin/testing.hpp"

#include <opencv2/imgproc.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A ramp that uses a tenth of the range.
cv::Mat dull(int type) {
  cv::Mat picture(48, 64, type);
  for (int y = 0; y < picture.rows; ++y)
    for (int x = 0; x < picture.cols; ++x)
      for (int c = 0; c < picture.channels(); ++c) {
        const int value = 100 + (x + y) / 5 + 10 * c;
        if (picture.depth() == CV_16U)
          picture.ptr<std::uint16_t>(y)[x * picture.channels() + c] = static_cast<std::uint16_t>(value * 257);
        else
          picture.ptr(y)[x * picture.channels() + c] = static_cast<std::uint8_t>(value);
      }
  return picture;
}

double contrast(const cv::Mat& picture) {
  cv::Scalar mean, deviation;
  cv::meanStdDev(picture, mean, deviation);
  return deviation[0];
}

struct fixture {
  plugin mine = this_plugin();
  const transform_component& clahe = offered(mine.components.transforms, "clahe");
};

} // namespace

TEST_SUITE_BEGIN("app/examples");

TEST_CASE_FIXTURE(fixture, "a dull picture gets more contrast, the more the higher the clip limit is") {
  const auto before = dull(CV_8UC1);
  const auto gentle = applied(clahe, {{"clip", 1}, {"tiles", 2}}, before);
  const auto steep = applied(clahe, {{"clip", 8}, {"tiles", 2}}, before);
  CHECK(contrast(gentle) > contrast(before));
  CHECK(contrast(steep) > contrast(gentle));
}

TEST_CASE_FIXTURE(fixture, "16 bits stay 16 bits, and get more contrast, too") {
  CHECK(contrast(applied(clahe, {}, dull(CV_16UC1))) > contrast(dull(CV_16UC1)));
}

TEST_CASE_FIXTURE(fixture, "a grey picture becomes what OpenCV makes of it") {
  cv::Mat expected;
  cv::createCLAHE(3, {4, 4})->apply(dull(CV_8UC1), expected);
  CHECK(same_pixels(applied(clahe, {{"clip", 3}, {"tiles", 4}}, dull(CV_8UC1)), expected));
}

TEST_CASE_FIXTURE(fixture, "of a coloured picture the luma is spread and the colours stay") {
  const auto before = dull(CV_8UC3);
  const auto after = applied(clahe, {}, before);
  cv::Mat luma_before, luma_after;
  cv::cvtColor(before, luma_before, cv::COLOR_RGB2YCrCb);
  cv::cvtColor(after, luma_after, cv::COLOR_RGB2YCrCb);
  CHECK(contrast(luma_after) > contrast(luma_before));
  for (int channel = 1; channel < 3; ++channel) {
    cv::Mat a, b;
    cv::extractChannel(luma_before, a, channel);
    cv::extractChannel(luma_after, b, channel);
    CHECK(cv::norm(a, b, cv::NORM_INF) <= 2); // Rounding.
  }
}

TEST_CASE_FIXTURE(fixture, "it does the same on any number of threads") {
  CHECK(is_deterministic(clahe, {}, dull(CV_8UC3)));
}

TEST_CASE_FIXTURE(fixture, "two channels are refused when it is made, with a reason") {
  CHECK_THROWS_WITH(applied(clahe, {}, cv::Mat(8, 8, CV_8UC2, cv::Scalar::all(0))), "takes 1 or 3 channels, not 2");
}

TEST_CASE_FIXTURE(fixture, "a clip limit of 0 is out of range") {
  CHECK_THROWS_AS(applied(clahe, {{"clip", 0}}, dull(CV_8UC1)), std::invalid_argument);
}

TEST_SUITE_END();
