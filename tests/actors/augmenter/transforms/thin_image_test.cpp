/// Images that are legal, but so thin that what a transform makes of them would fill the memory.
#include "actors/augmenter/transforms/make_transform.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

void check_refused(const transform_config& config, int height, int width) {
  const cv::Mat pixels(height, width, CV_8UC1, cv::Scalar(7));
  staged_image stage(pixels);
  const auto step = make_transform(config, {1, 0, 0});
  REQUIRE(step);
  sample_rng rng(1, 0, 0, 0);
  const auto applied = (*step)->apply(stage.image, rng);
  REQUIRE_FALSE(applied);
  CHECK(applied.error().code == ec::bad_data);
  CHECK(applied.error().context.find(std::to_string(height) + " x " + std::to_string(width)) != std::string::npos);
}

} // namespace

TEST_SUITE("actors/augmenter/transforms") {

  TEST_CASE("a line is not turned into a square") {
    const random_rotation_config turned{.degrees = {45, 45}, .expand = true};
    check_refused(turned, 1, 92'683);
    check_refused(turned, 100, 60'000);
    check_refused(turned, 60'000, 1);
  }

  TEST_CASE("a line is not resized to a height that makes it endless") {
    for (const std::int64_t size : {64, 4096}) {
      check_refused(resize_config{.size = size}, 1, 600'000);
      check_refused(resize_config{.size = size}, 600'000, 1);
    }
  }

} // TEST_SUITE
