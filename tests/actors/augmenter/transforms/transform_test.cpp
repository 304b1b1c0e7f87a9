#include "actors/augmenter/transforms/random_crop.hpp"
#include "actors/augmenter/transforms/random_erasing.hpp"
#include "actors/augmenter/transforms/random_flip.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <opencv2/core.hpp>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using made_transform = expected<std::unique_ptr<transform>>;

/// Applies the transform to counting pixels; `id` chooses the randomness.
std::vector<int> apply(const transform& step, const image_shape& shape, std::uint64_t id) {
  const auto sample = raw_sample(id, 0, 0, 0, counting_pixels(shape.num_elements()));
  working_image::scratch scratch;
  working_image image(sample.bytes, shape, scratch);
  sample_rng rng(1, 0, id, 0);
  REQUIRE(step.apply(image, rng));
  const auto dense = image.pixels().clone();
  CHECK(dense.cols == step.output_shape().width);
  CHECK(dense.rows == step.output_shape().height);
  return {dense.data, dense.data + dense.total() * dense.elemSize()};
}

/// The window of `shape` with its corner at (y, x), zeros outside, pixel by pixel.
std::vector<int> window_of(const image_shape& input, int y0, int x0, int height, int width) {
  const auto pixels = counting_pixels(input.num_elements());
  std::vector<int> result;
  for (int y = y0; y < y0 + height; ++y)
    for (int x = x0; x < x0 + width; ++x)
      for (int c = 0; c < input.channels; ++c) {
        const bool inside = y >= 0 && y < input.height && x >= 0 && x < input.width;
        result.push_back(inside ? pixels[static_cast<std::size_t>((y * input.width + x) * input.channels + c)] : 0);
      }
  return result;
}

void check_refused(const made_transform& made, const std::string& part) {
  REQUIRE_FALSE(made);
  CAPTURE(made.error().context);
  CHECK(made.error().code == ec::bad_config);
  CHECK(made.error().context.find(part) != std::string::npos);
}

constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

/// All crops of `config` that 2000 samples get, each checked to be a window of the padded input.
std::map<std::pair<int, int>, int> places_of(const random_crop_config& config, const image_shape& input) {
  auto made = make_random_crop(config, input);
  REQUIRE(made);
  const auto output = (*made)->output_shape();
  const auto padding = static_cast<int>(config.padding);
  std::map<std::vector<int>, std::pair<int, int>> windows;
  for (int y = -padding; y + output.height <= input.height + padding; ++y)
    for (int x = -padding; x + output.width <= input.width + padding; ++x)
      windows[window_of(input, y, x, output.height, output.width)] = {y, x};
  std::map<std::pair<int, int>, int> counts;
  for (std::uint64_t id = 0; id < 2000; ++id) {
    const auto found = windows.find(apply(**made, input, id));
    REQUIRE(found != windows.end());
    ++counts[found->second];
  }
  return counts;
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("random_crop cuts every window of the padded image equally often") {
    for (int channels : {1, 3}) {
      const auto counts = places_of({.size = 5, .padding = 2}, {channels, 5, 5});
      CHECK(counts.size() == 25);
      for (const auto& [place, count] : counts) {
        CHECK(count > 40); // 80 on average, standard deviation 9.
        CHECK(count < 120);
      }
    }
  }

  TEST_CASE("random_crop cuts windows out of a larger image and a non-square one") {
    CHECK(places_of({.size = 3}, {1, 5, 6}).size() == 3 * 4);
    CHECK(places_of({.size = 3, .padding = 1}, {3, 5, 4}).size() == 5 * 4);
  }

  TEST_CASE("random_crop of size 0 keeps the shape of the input") {
    auto made = make_random_crop({.size = 0, .padding = 1}, {3, 4, 6});
    REQUIRE(made);
    CHECK((*made)->output_shape() == image_shape{3, 4, 6});
    CHECK(places_of({.size = 0, .padding = 1}, {3, 4, 6}).size() == 9);
    CHECK(places_of({}, {1, 4, 6}).size() == 1);
  }

  TEST_CASE("random_crop may fall wholly into the padding") {
    auto made = make_random_crop({.size = 2, .padding = 6}, {1, 2, 2});
    REQUIRE(made);
    int num_blank = 0;
    for (std::uint64_t id = 0; id < 100; ++id)
      num_blank += apply(**made, {1, 2, 2}, id) == std::vector<int>(4, 0);
    CHECK(num_blank > 70); // 13 x 13 places, 3 x 3 of them touch the image.
    CHECK(num_blank < 100);
  }

  TEST_CASE("random_crop refuses what does not fit") {
    check_refused(make_random_crop({.size = 33, .padding = 2}, {1, 28, 28}), "size is 33, expected at most 32");
    check_refused(make_random_crop({.size = 21, .padding = 0}, {1, 28, 20}), "size is 21, expected at most 20");
    check_refused(make_random_crop({.size = -1}, {1, 28, 28}), "size is -1");
    check_refused(make_random_crop({.padding = -2}, {1, 28, 28}), "padding is -2");
    check_refused(make_random_crop({.padding = std::int64_t{1} << 40}, {1, 28, 28}), "padding is 1099511627776");
    check_refused(make_random_crop({.size = std::int64_t{1} << 40}, {1, 28, 28}), "size is 1099511627776");
    CHECK(make_random_crop({.size = 32, .padding = 2}, {1, 28, 28}));
  }

  TEST_CASE("random_horizontal_flip mirrors each row, pixel by pixel") {
    auto made = make_random_horizontal_flip({.p = 1}, {3, 2, 2});
    REQUIRE(made);
    CHECK(apply(**made, {3, 2, 2}, 0) == std::vector<int>{4, 5, 6, 1, 2, 3, 10, 11, 12, 7, 8, 9});
  }

  TEST_CASE("random_horizontal_flip happens with probability p") {
    const image_shape shape{1, 1, 2};
    for (const auto& [p, low, high] : {std::tuple{0., 0, 0}, {0.25, 200, 300}, {0.5, 430, 570}, {1., 1000, 1000}}) {
      auto made = make_random_horizontal_flip({.p = p}, shape);
      REQUIRE(made);
      int num_flipped = 0;
      for (std::uint64_t id = 0; id < 1000; ++id)
        num_flipped += apply(**made, shape, id) == std::vector<int>{2, 1};
      CHECK(num_flipped >= low);
      CHECK(num_flipped <= high);
    }
  }

  TEST_CASE("random_horizontal_flip refuses a p that is no probability") {
    check_refused(make_random_horizontal_flip({.p = -0.1}, {1, 2, 2}), "p is -0.1");
    check_refused(make_random_horizontal_flip({.p = 1.5}, {1, 2, 2}), "p is 1.5");
    check_refused(make_random_horizontal_flip({.p = not_a_number}, {1, 2, 2}), "p is nan");
  }

  TEST_CASE("random_erasing overwrites one rectangle within the ranges of area and aspect ratio") {
    const image_shape shape{3, 40, 30};
    const random_erasing_config config{.p = 1, .scale = {0.05, 0.3}, .ratio = {0.5, 2}, .value = 0};
    auto made = make_random_erasing(config, shape);
    REQUIRE(made);
    const auto before = counting_pixels(shape.num_elements());
    double smallest = 1;
    double largest = 0;
    for (std::uint64_t id = 0; id < 300; ++id) {
      const auto after = apply(**made, shape, id);
      int top = 40;
      int bottom = -1;
      int left = 30;
      int right = -1;
      for (int i = 0; i < 40 * 30 * 3; ++i) {
        const auto at = static_cast<std::size_t>(i);
        if (after[at] == 0) {
          top = std::min(top, i / 90);
          bottom = std::max(bottom, i / 90);
          left = std::min(left, i / 3 % 30);
          right = std::max(right, i / 3 % 30);
        } else {
          REQUIRE(after[at] == before[at]);
        }
      }
      const double height = bottom - top + 1;
      const double width = right - left + 1;
      REQUIRE(std::count(after.begin(), after.end(), 0) == static_cast<std::ptrdiff_t>(3 * height * width));
      const double share = height * width / (40 * 30);
      CHECK(share > 0.05 * 0.85); // Sides are rounded to whole pixels.
      CHECK(share < 0.3 * 1.1);
      CHECK(height / width > 0.5 * 0.8);
      CHECK(height / width < 2 * 1.25);
      smallest = std::min(smallest, share);
      largest = std::max(largest, share);
    }
    CHECK(smallest < 0.08);
    CHECK(largest > 0.27);
  }

  TEST_CASE("random_erasing writes the value that was asked for, with probability p") {
    const image_shape shape{1, 20, 20};
    auto made = make_random_erasing({.p = 0.3, .scale = {0.1, 0.2}, .value = 255}, shape);
    REQUIRE(made);
    const auto before = counting_pixels(400);
    int num_erased = 0;
    for (std::uint64_t id = 0; id < 1000; ++id) {
      const auto after = apply(**made, shape, id);
      if (after != before) {
        ++num_erased;
        CHECK(std::count(after.begin(), after.end(), 255) >= 30);
      }
    }
    CHECK(num_erased > 240);
    CHECK(num_erased < 360);
  }

  TEST_CASE("random_erasing leaves the image alone if no rectangle fits") {
    auto made = make_random_erasing({.p = 1, .scale = {1, 1}, .ratio = {1, 1}}, {1, 10, 10});
    REQUIRE(made);
    CHECK(apply(**made, {1, 10, 10}, 0) == counting_pixels(100));
    made = make_random_erasing({.p = 1}, {1, 1, 1});
    REQUIRE(made);
    for (std::uint64_t id = 0; id < 50; ++id)
      CHECK(apply(**made, {1, 1, 1}, id) == counting_pixels(1));
  }

  TEST_CASE("random_erasing refuses parameters out of range") {
    const image_shape shape{1, 10, 10};
    check_refused(make_random_erasing({.p = 2}, shape), "p is 2");
    check_refused(make_random_erasing({.p = not_a_number}, shape), "p is nan");
    check_refused(make_random_erasing({.scale = {0.1}}, shape), "scale is [0.1");
    check_refused(make_random_erasing({.scale = {0.3, 0.2}}, shape), "scale is [0.3");
    check_refused(make_random_erasing({.scale = {-0.1, 0.2}}, shape), "scale is [-0.1");
    check_refused(make_random_erasing({.scale = {0.1, 1.2}}, shape), "scale is [0.1");
    check_refused(make_random_erasing({.scale = {not_a_number, 0.2}}, shape), "scale is [nan");
    check_refused(make_random_erasing({.ratio = {0, 2}}, shape), "ratio is [0, 2]");
    check_refused(make_random_erasing({.ratio = {}}, shape), "ratio is []");
    check_refused(make_random_erasing({.ratio = {1, std::numeric_limits<double>::infinity()}}, shape),
                  "ratio is [1, inf]");
    check_refused(make_random_erasing({.value = 256}, shape), "value is 256");
    check_refused(make_random_erasing({.value = -1}, shape), "value is -1");
  }
}
