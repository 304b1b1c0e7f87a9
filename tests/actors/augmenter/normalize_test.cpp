#include "actors/augmenter/normalize.hpp"

#include "tests/actors/augmenter/raw_sample.hpp"

#include <limits>
#include <opencv2/core.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const image_shape rgb_shape{.channels = 3, .height = 4, .width = 5};
const normalize_config imagenet{.mean = {0.485, 0.456, 0.406}, .std = {0.229, 0.224, 0.225}};

cv::Mat counting_image(const image_shape& shape) {
  cv::Mat image(shape.height, shape.width, CV_8UC(shape.channels));
  const auto pixels = counting_pixels(shape.num_elements());
  std::copy(pixels.begin(), pixels.end(), image.data);
  return image;
}

void check_refused(const normalize_config& config, const std::string& part) {
  auto made = normalize::make(config, rgb_shape);
  REQUIRE_FALSE(made);
  CAPTURE(made.error().context);
  CHECK(made.error().code == ec::bad_config);
  CHECK(made.error().context.find(part) != std::string::npos);
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("normalize computes (x / 255 - mean) / std for every byte") {
    const auto made = normalize::make({.mean = {0.286}, .std = {0.353}}, {1, 16, 16});
    REQUIRE(made);
    cv::Mat image(16, 16, CV_8UC1);
    for (int i = 0; i < 256; ++i)
      image.data[i] = static_cast<unsigned char>(i);
    std::vector<float> out(256);
    made->write(image, out.data(), false);
    for (int i = 0; i < 256; ++i)
      CHECK(out[static_cast<std::size_t>(i)] == static_cast<float>((i / 255. - 0.286) / 0.353));
  }

  TEST_CASE("normalize uses each channel's own mean and std in both layouts") {
    const auto made = normalize::make(imagenet, rgb_shape);
    REQUIRE(made);
    const auto image = counting_image(rgb_shape);
    std::vector<float> last(60);
    std::vector<float> first(60);
    made->write(image, last.data(), true);
    made->write(image, first.data(), false);
    for (std::size_t i = 0; i < 20; ++i)
      for (std::size_t c = 0; c < 3; ++c) {
        const auto wanted = static_cast<float>((image.data[i * 3 + c] / 255. - imagenet.mean[c]) / imagenet.std[c]);
        CHECK(last[i * 3 + c] == wanted);
        CHECK(first[c * 20 + i] == wanted);
      }
  }

  TEST_CASE("one number serves all channels") {
    const auto one = normalize::make({.mean = {0.5}, .std = {0.25}}, rgb_shape);
    const auto three = normalize::make({.mean = {0.5, 0.5, 0.5}, .std = {0.25}}, rgb_shape);
    REQUIRE(one);
    REQUIRE(three);
    const auto image = counting_image(rgb_shape);
    std::vector<float> a(60);
    std::vector<float> b(60);
    one->write(image, a.data(), true);
    three->write(image, b.data(), true);
    CHECK(a == b);
    CHECK(a[1] == static_cast<float>((2 / 255. - 0.5) / 0.25));
  }

  TEST_CASE("a window into a larger image gives what its copy gives") {
    for (int channels : {1, 2, 3}) {
      const image_shape shape{.channels = channels, .height = 4, .width = 5};
      const auto made = normalize::make({.mean = {0.4}, .std = {0.2}}, shape);
      REQUIRE(made);
      const auto large = counting_image({channels, 9, 11});
      const auto window = large(cv::Rect(3, 2, 5, 4));
      for (bool channels_last : {false, true}) {
        std::vector<float> a(shape.num_elements());
        std::vector<float> b(shape.num_elements());
        made->write(window, a.data(), channels_last);
        made->write(window.clone(), b.data(), channels_last);
        CHECK(a == b);
      }
    }
  }

  TEST_CASE("normalize refuses mean and std that do not fit") {
    constexpr auto nan = std::numeric_limits<double>::quiet_NaN();
    constexpr auto inf = std::numeric_limits<double>::infinity();
    check_refused({.mean = {}, .std = {1}}, "mean has 0 numbers, expected 1 or 3");
    check_refused({.mean = {0, 0}, .std = {1}}, "mean has 2 numbers");
    check_refused({.mean = {0}, .std = {}}, "std has 0 numbers");
    check_refused({.mean = {0}, .std = {1, 1, 1, 1}}, "std has 4 numbers");
    check_refused({.mean = {0}, .std = {0}}, "std[0] is 0");
    check_refused({.mean = {0}, .std = {1, 1, -0.5}}, "std[2] is -0.5");
    check_refused({.mean = {0, nan, 0}, .std = {1}}, "mean[1] is nan");
    check_refused({.mean = {0}, .std = {inf}}, "std[0] is inf");
  }
}
