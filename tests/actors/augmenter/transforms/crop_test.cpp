#include "actors/augmenter/transforms/center_crop.hpp"
#include "actors/augmenter/transforms/random_crop.hpp"
#include "actors/augmenter/transforms/random_erasing.hpp"
#include "actors/augmenter/transforms/random_flip.hpp"
#include "actors/augmenter/transforms/random_rotation.hpp"
#include "actors/augmenter/transforms/resize.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

bool equal(const cv::Mat& a, const cv::Mat& b) {
  return difference(a, b).largest == 0;
}

/// True if `part` is a window of `whole`.
bool is_window(const cv::Mat& part, const cv::Mat& whole) {
  for (int y = 0; y + part.rows <= whole.rows; ++y)
    for (int x = 0; x + part.cols <= whole.cols; ++x)
      if (equal(part, whole(cv::Rect({x, y}, part.size())).clone()))
        return true;
  return false;
}

cv::Mat padded(const cv::Mat& image, int y, int x, int how, double fill = 0) {
  cv::Mat result;
  cv::copyMakeBorder(image, result, y, y, x, x, how, cv::Scalar::all(fill));
  return result;
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("resized_size rounds as torchvision does") {
    CHECK(resized_size({640, 480}, 256, 0) == cv::Size(341, 256));
    CHECK(resized_size({480, 640}, 256, 0) == cv::Size(256, 341));
    CHECK(resized_size({640, 480}, 256, 300) == cv::Size(300, 225));
    CHECK(resized_size({500, 500}, 224, 0) == cv::Size(224, 224));
    CHECK(resized_size({1000, 1}, 1, 10) == cv::Size(10, 1));
  }

  TEST_CASE("resize knows its output where it can") {
    const auto shape_after = [](const resize_config& config, const image_shape& input) {
      auto step = make_resize(config, input);
      REQUIRE(step);
      return (*step)->output_shape();
    };
    CHECK(shape_after({.size = 256}, {3, 480, 640}) == image_shape{3, 256, 341});
    CHECK(shape_after({.size = 256}, {3, 0, 0}) == image_shape{3, 0, 0});
    CHECK(shape_after({.size = {10, 20}}, {3, 0, 0}) == image_shape{3, 10, 20});
  }

  TEST_CASE("resize refuses an image whose longer side would be too long") {
    auto step = make_resize({.size = 100}, {1, 0, 0});
    REQUIRE(step);
    staged_image staged(cv::Mat(1, 1000, CV_8UC1, cv::Scalar(1)));
    sample_rng rng(1, 0, 0, 0);
    auto ok = (*step)->apply(staged.image, rng);
    REQUIRE_FALSE(ok);
    CHECK(ok.error().code == ec::bad_data);
    CHECK(ok.error().context.find("a side of 100000, expected at most 32767") != std::string::npos);
  }

  TEST_CASE("crops and resizes of a file equal those of its pixels") {
    const auto image = pattern_image(3, 20, 27);
    const image_shape shape{3, 0, 0};
    for (const auto& step :
         {make_resize({.size = 9}, shape), make_center_crop({.size = {11, 6}}, shape),
          make_center_crop({.size = {11, 40}}, shape), make_random_crop({.size = 15, .padding = 6}, shape),
          make_random_crop({.size = {30, 15}, .pad_if_needed = true, .padding_mode = "reflect"}, shape)}) {
      REQUIRE(step);
      CHECK((*step)->takes_undecoded());
      for (std::uint64_t id = 0; id < 5; ++id)
        CHECK(equal(transformed(**step, image, id), transformed<staged_file>(**step, image, id)));
    }
  }

  TEST_CASE("random_crop cuts windows out of images of any size, padded in every mode") {
    const std::vector<std::pair<const char*, int>> modes{{"constant", cv::BORDER_CONSTANT},
                                                         {"edge", cv::BORDER_REPLICATE},
                                                         {"reflect", cv::BORDER_REFLECT_101},
                                                         {"symmetric", cv::BORDER_REFLECT}};
    for (const auto& [name, how] : modes) {
      CAPTURE(name);
      auto step = make_random_crop(
        {.size = {9, 12}, .padding = 2, .pad_if_needed = true, .fill = 31, .padding_mode = name}, {3, 0, 0});
      REQUIRE(step);
      CHECK((*step)->output_shape() == image_shape{3, 9, 12});
      const auto large = pattern_image(3, 20, 14);
      const auto flat = pattern_image(3, 4, 30); // 4 + 2 * 2 rows; one is missing, on both sides.
      for (std::uint64_t id = 0; id < 30; ++id) {
        CHECK(is_window(transformed(**step, large, id), padded(large, 2, 2, how, 31)));
        CHECK(is_window(transformed(**step, flat, id), padded(padded(flat, 2, 2, how, 31), 1, 0, how, 31)));
      }
    }
  }

  TEST_CASE("random_crop refuses an image that is too small, with the figures") {
    auto step = make_random_crop({.size = {9, 12}, .padding = 1}, {3, 0, 0});
    REQUIRE(step);
    const auto image = pattern_image(3, 9, 9);
    staged_image staged(image);
    sample_rng rng(1, 0, 0, 0);
    auto ok = (*step)->apply(staged.image, rng);
    REQUIRE_FALSE(ok);
    CHECK(ok.error().code == ec::bad_data);
    CHECK(ok.error().context.find("image of 9 x 9 is too small for a crop of 9 x 12 with padding 1")
          != std::string::npos);
  }

  TEST_CASE("16-bit images are cut, mirrored, turned and erased as 8-bit ones are") {
    const auto narrow = pattern_image(3, 15, 18);
    cv::Mat wide;
    narrow.convertTo(wide, CV_16U, 257);
    const image_shape shape{3, 0, 0, 16};
    const auto make_all = [](const image_shape& input) {
      std::vector<expected<std::unique_ptr<transform>>> all;
      all.push_back(make_center_crop({.size = 11}, input));
      all.push_back(make_random_crop({.size = 16, .padding = 3, .fill = 9}, input));
      all.push_back(make_random_vertical_flip({.p = 1}, input));
      all.push_back(make_random_rotation({.degrees = {40}, .fill = 200}, input));
      all.push_back(make_random_erasing({.p = 1, .value = 77}, input));
      all.push_back(make_resize({.size = 7, .interpolation = "nearest"}, input));
      return all;
    };
    const auto for_wide = make_all(shape);
    const auto for_narrow = make_all({3, 0, 0, 8});
    for (std::size_t i = 0; i < for_wide.size(); ++i) {
      CAPTURE(i);
      REQUIRE(for_wide[i]);
      REQUIRE(for_narrow[i]);
      cv::Mat widened;
      transformed(**for_narrow[i], narrow, i).convertTo(widened, CV_16U, 257);
      CHECK(equal(transformed<staged_file>(**for_wide[i], wide, i), widened));
    }
  }
}
