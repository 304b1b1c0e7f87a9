#include "actors/plugin/testing.hpp"

#include <opencv2/imgproc.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

cv::Mat digit() {
  cv::Mat picture(28, 28, CV_8UC1, cv::Scalar::all(0));
  cv::circle(picture, {14, 14}, 7, cv::Scalar::all(255), 2);
  return picture;
}

struct fixture {
  plugin mine = this_plugin();
  const transform_component& elastic = offered(mine.components.transforms, "elastic");
};

} // namespace

TEST_SUITE_BEGIN("app/examples");

TEST_CASE_FIXTURE(fixture, "with alpha 0 the picture stays as it is") {
  CHECK(same_pixels(applied(elastic, {{"alpha", 0}}, digit()), digit()));
}

TEST_CASE_FIXTURE(fixture, "each sample and epoch is deformed in another way, and seeds differ") {
  const auto one = applied(elastic, {}, digit(), {.seed = 1, .epoch = 0, .id = 0});
  CHECK_FALSE(same_pixels(one, digit()));
  CHECK_FALSE(same_pixels(one, applied(elastic, {}, digit(), {.seed = 1, .epoch = 0, .id = 1})));
  CHECK_FALSE(same_pixels(one, applied(elastic, {}, digit(), {.seed = 1, .epoch = 1, .id = 0})));
  CHECK_FALSE(same_pixels(one, applied(elastic, {}, digit(), {.seed = 2, .epoch = 0, .id = 0})));
}

TEST_CASE_FIXTURE(fixture, "the digit is bent, not torn: most of the ink is kept") {
  for (std::uint64_t id = 0; id < 20; ++id) {
    const auto after = applied(elastic, {}, digit(), {.id = id});
    CHECK(cv::sum(after)[0] == doctest::Approx(cv::sum(digit())[0]).epsilon(0.5));
  }
}

TEST_CASE_FIXTURE(fixture, "the more alpha, the further pixels move, and the note says how far") {
  double last = 0;
  for (const double alpha : {1., 10., 100.}) {
    std::string note;
    const auto after = applied(elastic, {{"alpha", alpha}}, digit(), {}, &note);
    double shift = 0;
    REQUIRE(std::sscanf(note.c_str(), "up to %lf pixels", &shift) == 1);
    CHECK(shift > last);
    CHECK(shift < alpha);
    last = shift;
  }
}

TEST_CASE_FIXTURE(fixture, "colours and 16 bits are fine") {
  for (const int type : {CV_8UC3, CV_16UC1}) {
    cv::Mat picture(20, 30, type, cv::Scalar::all(200));
    CHECK(same_pixels(applied(elastic, {}, picture), picture)); // All the same: whatever moves, nothing changes.
  }
}

TEST_CASE_FIXTURE(fixture, "it does the same on any number of threads") {
  CHECK(is_deterministic(elastic, {}, digit()));
}

TEST_CASE_FIXTURE(fixture, "parameters out of range are refused") {
  CHECK_THROWS_AS(applied(elastic, {{"sigma", 0}}, digit()), std::invalid_argument);
  CHECK_THROWS_AS(applied(elastic, {{"alpha", -1}}, digit()), std::invalid_argument);
}

TEST_SUITE_END();
