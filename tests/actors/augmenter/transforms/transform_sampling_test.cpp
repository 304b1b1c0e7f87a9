#include "actors/augmenter/transforms/auto_augment.hpp"
#include "actors/augmenter/transforms/color_jitter.hpp"
#include "actors/augmenter/transforms/gaussian_blur.hpp"
#include "actors/augmenter/transforms/grayscale.hpp"
#include "actors/augmenter/transforms/random_affine.hpp"
#include "actors/augmenter/transforms/random_crop.hpp"
#include "actors/augmenter/transforms/random_flip.hpp"
#include "actors/augmenter/transforms/random_resized_crop.hpp"
#include "actors/augmenter/transforms/random_rotation.hpp"

#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include <cmath>
#include <map>
#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using made_transform = expected<std::unique_ptr<transform>>;

/// Mean and extremes of what was seen.
struct statistics {
  void add(double x) {
    sum += x;
    low = std::min(low, x);
    high = std::max(high, x);
    ++count;
  }
  [[nodiscard]] double mean() const { return sum / count; }

  double sum = 0;
  double low = 1e9;
  double high = -1e9;
  int count = 0;
};

bool equal(const cv::Mat& a, const cv::Mat& b) {
  return difference(a, b).largest == 0;
}

/// How many of `num_samples` the transform changes.
int num_changed(const made_transform& step, const cv::Mat& image, std::uint64_t num_samples) {
  REQUIRE(step);
  int result = 0;
  for (std::uint64_t id = 0; id < num_samples; ++id)
    result += !equal(transformed(**step, image, id), image);
  return result;
}

/// An image of zeros with one value of 255.
cv::Mat dot_image(int height, int width, cv::Point at) {
  cv::Mat image(height, width, CV_8UC1, cv::Scalar(0));
  image.at<unsigned char>(at) = 255;
  return image;
}

cv::Point brightest(const cv::Mat& image) {
  cv::Point at;
  cv::minMaxLoc(image, nullptr, nullptr, nullptr, &at);
  return at;
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("random_resized_crop draws area, shape and place evenly over their ranges") {
    const cv::Size size(1000, 800);
    statistics share;
    statistics log_ratio;
    statistics x_place;
    statistics y_place;
    for (std::uint64_t id = 0; id < 4000; ++id) {
      sample_rng rng(1, 0, id, 0);
      const auto box = random_resized_crop_box(size, {0.1, 0.4}, {0.5, 2}, rng);
      REQUIRE((box & cv::Rect({}, size)) == box);
      share.add(box.area() / static_cast<double>(size.area()));
      log_ratio.add(std::log(static_cast<double>(box.width) / box.height));
      x_place.add(static_cast<double>(box.x) / (size.width - box.width));
      y_place.add(static_cast<double>(box.y) / std::max(1, size.height - box.height));
    }
    CHECK(share.low > 0.0995); // Sides are whole pixels.
    CHECK(share.low < 0.102);
    CHECK(share.high > 0.395);
    CHECK(share.high < 0.4005);
    CHECK(share.mean() == doctest::Approx(0.25).epsilon(0.02));
    CHECK(log_ratio.low > -0.70);
    CHECK(log_ratio.low < -0.68);
    CHECK(log_ratio.high < 0.70);
    CHECK(log_ratio.high > 0.68);
    CHECK(std::abs(log_ratio.mean()) < 0.03);
    for (const auto& place : {x_place, y_place}) {
      CHECK(place.mean() == doctest::Approx(0.5).epsilon(0.05));
      CHECK(place.low < 0.01);
      CHECK(place.high > 0.99);
    }
  }

  TEST_CASE("random_resized_crop falls back to the middle where no box fits") {
    sample_rng rng(1, 0, 0, 0);
    CHECK(random_resized_crop_box({10, 1000}, {1, 1}, {0.75, 4. / 3}, rng) == cv::Rect(0, 493, 10, 13));
    CHECK(random_resized_crop_box({1000, 10}, {1, 1}, {0.75, 4. / 3}, rng) == cv::Rect(493, 0, 13, 10));
    CHECK(random_resized_crop_box({21, 20}, {1, 1}, {1, 1.2}, rng).size() != cv::Size());
    CHECK(random_resized_crop_box({1, 1}, {0.08, 1}, {0.75, 4. / 3}, rng) == cv::Rect(0, 0, 1, 1));
  }

  TEST_CASE("random_resized_crop gives the size that was asked for, decoded or not") {
    auto step = make_random_resized_crop({.size = {9, 14}}, {3, 0, 0});
    REQUIRE(step);
    CHECK((*step)->output_shape() == image_shape{3, 9, 14});
    CHECK((*step)->takes_undecoded());
    for (const auto& image : {pattern_image(3, 24, 30), pattern_image(3, 5, 4)})
      for (std::uint64_t id = 0; id < 20; ++id) {
        const auto result = transformed(**step, image, id);
        CHECK(result.size() == cv::Size(14, 9));
        CHECK(equal(result, transformed<staged_file>(**step, image, id)));
      }
  }

  TEST_CASE("flips and random_grayscale happen with probability p") {
    const auto image = pattern_image(3, 6, 5);
    const image_shape shape{3, 0, 0};
    for (const auto& step : {make_random_vertical_flip({.p = 0.25}, shape), make_random_grayscale({.p = 0.25}, shape),
                             make_random_horizontal_flip({.p = 0.25}, shape)}) {
      const auto count = num_changed(step, image, 1000);
      CHECK(count > 200);
      CHECK(count < 300);
    }
  }

  TEST_CASE("random_rotation turns as far as it was told, counter-clockwise") {
    const auto image = pattern_image(3, 7, 7);
    cv::Mat turned;
    cv::rotate(image, turned, cv::ROTATE_90_COUNTERCLOCKWISE);
    auto step = make_random_rotation({.degrees = {90, 90}}, {3, 7, 7});
    REQUIRE(step);
    CHECK(equal(transformed(**step, image), turned));
    std::set<int> heights;
    step = make_random_rotation({.degrees = {30}, .expand = true}, {3, 0, 0});
    REQUIRE(step);
    CHECK_FALSE((*step)->output_shape().fixed());
    for (std::uint64_t id = 0; id < 50; ++id)
      heights.insert(transformed(**step, pattern_image(3, 40, 60), id).rows);
    CHECK(*heights.begin() >= 40);
    CHECK(*heights.rbegin() <= 40 * std::cos(0.524) + 60 * std::sin(0.524) + 2);
    CHECK(heights.size() > 10);
  }

  TEST_CASE("random_affine moves evenly within the given share of the image") {
    auto step = make_random_affine({.translate = {0.25, 0.1}}, {1, 21, 41});
    REQUIRE(step);
    statistics x;
    statistics y;
    for (std::uint64_t id = 0; id < 1000; ++id) {
      const auto at = brightest(transformed(**step, dot_image(21, 41, {20, 10}), id)) - cv::Point(20, 10);
      x.add(at.x);
      y.add(at.y);
    }
    CHECK(x.low == -10);
    CHECK(x.high == 10);
    CHECK(y.low == -2);
    CHECK(y.high == 2);
    CHECK(std::abs(x.mean()) < 0.7);
    CHECK(std::abs(y.mean()) < 0.15);
  }

  TEST_CASE("color_jitter changes colours in random order") {
    const cv::Mat image(2, 2, CV_8UC1, cv::Scalar(100));
    // First twice as bright, then plain grey, or the other way round, with clipping in between.
    cv::Mat halves = image.clone();
    halves.at<unsigned char>(0, 0) = 250;
    auto step = make_color_jitter({.brightness = {2, 2}, .contrast = {0, 0}}, {1, 0, 0});
    REQUIRE(step);
    std::map<int, int> values;
    for (std::uint64_t id = 0; id < 1000; ++id)
      ++values[transformed(**step, halves, id).data[0]];
    REQUIRE(values.size() == 2); // (100 * 3 + 250) / 4 = 137.5; (200 * 3 + 255) / 4 = 213.75
    CHECK(values.begin()->first == 213);
    CHECK(values.rbegin()->first == 255);
    CHECK(values.begin()->second > 430);
    CHECK(values.begin()->second < 570);
  }

  TEST_CASE("color_jitter draws factors evenly and leaves the image alone by default") {
    const cv::Mat image(1, 1, CV_8UC3, cv::Scalar(100, 100, 100));
    auto step = make_color_jitter({.brightness = {0.5}}, {3, 1, 1});
    REQUIRE(step);
    statistics values;
    for (std::uint64_t id = 0; id < 1000; ++id)
      values.add(transformed(**step, image, id).data[0]);
    CHECK(values.low <= 51);
    CHECK(values.low >= 50);
    CHECK(values.high >= 148);
    CHECK(values.high <= 150);
    CHECK(values.mean() == doctest::Approx(99.5).epsilon(0.03));
    CHECK(num_changed(make_color_jitter({}, {3, 0, 0}), pattern_image(3, 5, 5), 50) == 0);
    CHECK(num_changed(make_color_jitter({.hue = {0.5}}, {3, 0, 0}), pattern_image(3, 5, 5), 50) > 45);
  }

  TEST_CASE("gaussian_blur keeps a plain image and spreads a dot by a width from its range") {
    const cv::Mat plain(9, 9, CV_8UC3, cv::Scalar(7, 8, 250));
    CHECK(num_changed(make_gaussian_blur({.kernel_size = 5}, {3, 0, 0}), plain, 20) == 0);
    auto step = make_gaussian_blur({.kernel_size = {9, 3}, .sigma = {1, 2}}, {1, 21, 21});
    REQUIRE(step);
    std::set<int> peaks;
    for (std::uint64_t id = 0; id < 100; ++id) {
      const auto blurred = transformed(**step, dot_image(21, 21, {10, 10}), id);
      CHECK(blurred.at<unsigned char>(8, 10) == 0); // Three rows high,
      CHECK(blurred.at<unsigned char>(10, 12) > 0); // nine columns wide.
      peaks.insert(blurred.at<unsigned char>(10, 10));
    }
    CHECK(peaks.size() > 15);
  }

  TEST_CASE("the automatic augmentations give many different images, the same for the same key") {
    const auto image = pattern_image(3, 20, 24);
    for (const auto& step : {make_trivial_augment_wide({}, {3, 0, 0}), make_rand_augment({}, {3, 0, 0})}) {
      REQUIRE(step);
      std::set<double> sums;
      for (std::uint64_t id = 0; id < 400; ++id) {
        const auto result = transformed(**step, image, id);
        CHECK(result.size() == image.size());
        CHECK(equal(result, transformed(**step, image, id)));
        const auto sum = cv::sum(result);
        sums.insert(sum[0] + 1e7 * sum[1] + 1e14 * sum[2]);
      }
      CHECK(sums.size() > 100);
    }
    // Identity, magnitude 0, and what the image has already: 1/14 + 9/14/31 and a little more.
    const auto num_alone = 2000 - num_changed(make_trivial_augment_wide({}, {3, 0, 0}), image, 2000);
    CHECK(num_alone > 2000 * 0.07);
    CHECK(num_alone < 2000 * 0.25);
  }

  TEST_CASE("rand_augment works on grey images") {
    CHECK(num_changed(make_rand_augment({.num_ops = 4}, {1, 0, 0}), pattern_image(1, 20, 24), 200) > 150);
  }
}
