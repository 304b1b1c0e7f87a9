#include "actors/augmenter/transforms/normalize.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <opencv2/core.hpp>
#include <random>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const image_shape rgb_shape{.channels = 3, .height = 4, .width = 5};
const normalize_config imagenet{.mean = {0.485, 0.456, 0.406}, .std = {0.229, 0.224, 0.225}};
constexpr pixel_type types[] = {pixel_type::float32, pixel_type::bfloat16};

normalize made(const normalize_config& config, const image_shape& shape) {
  auto result = normalize::make(config, shape);
  REQUIRE(result);
  return *result;
}

cv::Mat random_image(const image_shape& shape) {
  std::mt19937 rng(1);
  cv::Mat image(shape.height, shape.width, CV_MAKETYPE(shape.bits == 16 ? CV_16U : CV_8U, shape.channels));
  std::generate_n(image.data, image.total() * image.elemSize(),
                  [&] { return static_cast<unsigned char>(rng() >> 24); });
  return image;
}

std::vector<float> floats_of(const normalize& of, const cv::Mat& image, bool channels_last) {
  std::vector<float> out(image.total() * static_cast<std::size_t>(image.channels()));
  of.write(image, pixel_type::float32, out.data(), channels_last);
  return out;
}

std::vector<std::uint16_t> halves_of(const normalize& of, const cv::Mat& image, bool channels_last) {
  std::vector<std::uint16_t> out(image.total() * static_cast<std::size_t>(image.channels()));
  of.write(image, pixel_type::bfloat16, out.data(), channels_last);
  return out;
}

double value_at(const cv::Mat& image, std::size_t pixel, std::size_t channel) {
  const auto i = pixel * static_cast<std::size_t>(image.channels()) + channel;
  if (image.depth() == CV_8U)
    return image.ptr<unsigned char>()[i];
  return image.ptr<std::uint16_t>()[i];
}

/// Compares both layouts with the formula in double precision.
void check_formula(const image_shape& shape, double full_scale) {
  CAPTURE(shape.channels);
  CAPTURE(shape.bits);
  const std::vector<double> mean = {0.485, 0.456, 0.406, 0};
  const std::vector<double> std = {0.229, 0.224, 0.225, 1};
  const auto channels = static_cast<std::size_t>(shape.channels);
  normalize_config config{.mean = {mean.begin(), mean.begin() + shape.channels},
                          .std = {std.begin(), std.begin() + shape.channels}};
  const auto image = random_image(shape);
  const auto last = floats_of(made(config, shape), image, true);
  const auto first = floats_of(made(config, shape), image, false);
  int num_off = 0;
  for (std::size_t i = 0; i < image.total(); ++i)
    for (std::size_t c = 0; c < channels; ++c) {
      const double share = value_at(image, i, c) / full_scale;
      const double off = std::abs(last[i * channels + c] - (share - mean[c]) / std[c]);
      num_off += off > std::max(share, mean[c]) / std[c] * 0x1p-21;
      num_off += last[i * channels + c] != first[c * image.total() + i];
    }
  CHECK(num_off == 0);
}

void check_refused(const normalize_config& config, const std::string& part) {
  auto result = normalize::make(config, rgb_shape);
  REQUIRE_FALSE(result);
  CAPTURE(result.error().context);
  CHECK(result.error().code == ec::bad_config);
  CHECK(result.error().context.find(part) != std::string::npos);
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("normalize computes (x / full scale - mean) / std in both layouts") {
    for (int channels : {1, 2, 3, 4}) {
      check_formula({.channels = channels, .height = 37, .width = 41, .bits = 8}, 255);
      check_formula({.channels = channels, .height = 37, .width = 41, .bits = 16}, 65535);
    }
  }

  TEST_CASE("without mean and std, black is 0 and white is 1") {
    for (int bits : {8, 16}) {
      const image_shape shape{.channels = 3, .height = 5, .width = 7, .bits = bits};
      cv::Mat image(5, 7, bits == 8 ? CV_8UC3 : CV_16UC3, cv::Scalar(0, 0, bits == 8 ? 255 : 65535));
      const auto out = floats_of(made({.mean = {0}, .std = {1}}, shape), image, true);
      for (std::size_t i = 0; i < out.size(); ++i)
        CHECK(out[i] == (i % 3 == 2 ? 1.F : 0.F));
    }
  }

  TEST_CASE("bfloat16 is the float rounded to nearest, and of two such to the even one") {
    const image_shape shape{.channels = 1, .height = 16, .width = 16};
    cv::Mat image(16, 16, CV_8UC1);
    for (int i = 0; i < 256; ++i)
      image.data[i] = static_cast<unsigned char>(i);
    const auto of = made({.mean = {-256 / 255.}, .std = {1 / 255.}}, shape); // x + 256: 9 bits, bfloat16 has 8.
    const auto floats = floats_of(of, image, true);
    const auto halves = halves_of(of, image, true);
    for (std::size_t i = 0; i < 256; ++i) {
      REQUIRE(floats[i] == static_cast<float>(i + 256));
      const auto even = (i + 1) / 4 * 4 == i + 1 ? i + 1 : i / 2 * 2; // 1 of 4 goes down, 3 of 4 up.
      const auto rounded = std::bit_cast<float>(static_cast<std::uint32_t>(halves[i]) << 16U);
      CHECK(rounded == static_cast<float>(even + 256));
    }
  }

  TEST_CASE("all kernels write the same numbers") {
    for (int bits : {8, 16})
      for (int channels : {1, 2, 3, 4})
        for (const auto type : types) {
          const image_shape shape{.channels = channels, .height = 9, .width = 31, .bits = bits};
          const auto image = random_image(shape);
          normalize_factors factors;
          for (std::size_t i = 0; i < normalize_factors::period; ++i) {
            const auto c = static_cast<float>(i % static_cast<std::size_t>(channels));
            factors.scale[i] = 0.0171F + 0.003F * c;
            factors.bias[i] = -2.1F + 0.7F * c;
          }
          const auto& plain = plain_normalize_kernels(bits, type);
          const auto& best = best_normalize_kernels(bits, type);
          for (std::size_t count = 1; count <= image.total(); count += 17) {
            const auto num_values = count * static_cast<std::size_t>(channels);
            std::vector<std::byte> a(num_values * bytes_per_pixel_value(type));
            auto b = a;
            plain.interleaved(image.data, num_values, factors, a.data());
            best.interleaved(image.data, num_values, factors, b.data());
            CHECK(a == b);
            plain.planar(image.data, count, static_cast<std::size_t>(channels), factors, a.data(), count);
            best.planar(image.data, count, static_cast<std::size_t>(channels), factors, b.data(), count);
            CHECK(a == b);
          }
        }
  }

  TEST_CASE("one number serves all channels") {
    const auto image = random_image(rgb_shape);
    const auto one = floats_of(made({.mean = {0.5}, .std = {0.25}}, rgb_shape), image, true);
    CHECK(one == floats_of(made({.mean = {0.5, 0.5, 0.5}, .std = {0.25}}, rgb_shape), image, true));
  }

  TEST_CASE("a window into a larger image gives what its copy gives") {
    for (int bits : {8, 16})
      for (int channels : {1, 2, 3}) {
        const image_shape shape{.channels = channels, .height = 4, .width = 15, .bits = bits};
        const auto of = made({.mean = {0.4}, .std = {0.2}}, shape);
        const auto large = random_image({channels, 9, 21, bits});
        const auto window = large(cv::Rect(6, 5, 15, 4)); // It ends where the memory ends.
        for (bool channels_last : {false, true}) {
          CHECK(floats_of(of, window, channels_last) == floats_of(of, window.clone(), channels_last));
          CHECK(halves_of(of, window, channels_last) == halves_of(of, window.clone(), channels_last));
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
