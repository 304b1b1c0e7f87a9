#include "actors/support/imaging/resize.hpp"

#include "actors/support/imaging/resampling/resize_kernels.hpp"
#include "actors/support/imaging/resampling/resize_kernels_avx2.hpp"

#include <algorithm>
#include <cmath>
#include <fstream>
#include <opencv2/core.hpp>
#include <opencv2/imgproc.hpp>
#include <random>
#include <string>
#include <vector>
#include <zlib.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr interpolation filters[] = {interpolation::bilinear, interpolation::bicubic};

/// The pattern of tests/golden/make_resize_golden.py.
cv::Mat pattern_image(int channels, int width, int height) {
  cv::Mat image(height, width, CV_8UC(channels));
  std::uint32_t state = 1;
  const auto count = static_cast<std::uint32_t>(width * height * channels);
  for (std::uint32_t i = 0; i < count; ++i) {
    state = state * 1664525U + 1013904223U;
    const auto noise = state >> 24U;
    const auto kind = i / 64 % 3;
    image.data[i] = static_cast<unsigned char>(kind == 0 ? (noise & 1U) * 255 : kind == 1 ? noise : i / 7 % 256);
  }
  return image;
}

cv::Mat random_image(std::mt19937& rng, int type, int width, int height) {
  cv::Mat image(height, width, type);
  std::uniform_int_distribution<int> byte(0, 255);
  for (int y = 0; y < height; ++y)
    std::generate_n(image.ptr(y), static_cast<std::size_t>(width) * image.elemSize(),
                    [&] { return static_cast<unsigned char>(byte(rng)); });
  return image;
}

cv::Rect2d all_of(const cv::Mat& image) {
  return {0, 0, double(image.cols), double(image.rows)};
}

cv::Mat resized(const cv::Mat& from, const cv::Rect2d& box, cv::Size size, interpolation filter, bool antialias) {
  resize_scratch scratch;
  cv::Mat to(size, from.type());
  resize(from, box, to, filter, antialias, scratch);
  return to;
}

double max_difference(const cv::Mat& a, const cv::Mat& b) {
  return cv::norm(a, b, cv::NORM_INF);
}

unsigned long checksum(const cv::Mat& image) {
  REQUIRE(image.isContinuous());
  return crc32(0, image.data, static_cast<unsigned>(image.total() * image.elemSize()));
}

/// The antialiased weights of one output pixel, as the definition has them: no fixed point, no bounds.
std::vector<double> exact_weights(int size, double first, double scale, int output, bool bicubic) {
  const double stretch = std::max(scale, 1.0);
  const double center = first + (output + 0.5) * scale;
  std::vector<double> weights(static_cast<std::size_t>(size));
  double sum = 0;
  for (int i = 0; i < size; ++i) {
    const double x = std::abs(i + 0.5 - center) / stretch;
    double w = std::max(0.0, 1 - x);
    if (bicubic)
      w = x < 1 ? 1.5 * x * x * x - 2.5 * x * x + 1 : x < 2 ? -0.5 * x * x * x + 2.5 * x * x - 4 * x + 2 : 0;
    weights[static_cast<std::size_t>(i)] = w;
    sum += w;
  }
  for (auto& w : weights)
    w /= sum;
  return weights;
}

/// Antialiased, in double precision throughout.
cv::Mat exactly_resized(const cv::Mat& from, const cv::Rect2d& box, cv::Size size, bool bicubic) {
  cv::Mat pixels;
  from.convertTo(pixels, CV_64F);
  const auto weights = [&](int input, int output, double first, double length) {
    cv::Mat result(output, input, CV_64F);
    for (int i = 0; i < output; ++i) {
      const auto row = exact_weights(input, first, length / output, i, bicubic);
      std::copy(row.begin(), row.end(), result.ptr<double>(i));
    }
    return result;
  };
  const auto across = weights(from.cols, size.width, box.x, box.width);
  const auto down = weights(from.rows, size.height, box.y, box.height);
  std::vector<cv::Mat> planes;
  cv::split(pixels, planes);
  for (auto& plane : planes)
    plane = down * plane * across.t();
  cv::Mat result;
  cv::merge(planes, result);
  result.convertTo(result, from.type());
  return result;
}

/// A box of any place and size inside an image.
cv::Rect2d random_box(std::mt19937& rng, cv::Size size) {
  std::uniform_real_distribution<double> share(0, 1);
  const auto range = [&](int length) {
    double first = share(rng) * length;
    double last = share(rng) * length;
    if (first > last)
      std::swap(first, last);
    return std::pair{first, std::max(last - first, 1e-3 * length)};
  };
  const auto [x, width] = range(size.width);
  const auto [y, height] = range(size.height);
  return cv::Rect2d(x, y, width, height) & cv::Rect2d(0, 0, size.width, size.height);
}

} // namespace

TEST_SUITE("actors/support/imaging") {
  TEST_CASE("antialiased pixels are Pillow's, bit for bit") {
    std::ifstream golden(TROUPE_SOURCE_DIR "/tests/golden/resize_pillow.txt");
    int channels = 0;
    int width = 0;
    int height = 0;
    std::string filter;
    cv::Point2d first;
    cv::Point2d last;
    cv::Size size;
    unsigned long wanted = 0;
    int num_cases = 0;
    while (golden >> channels >> width >> height >> filter >> first.x >> first.y >> last.x >> last.y >> size.width
           >> size.height >> wanted) {
      CAPTURE(channels);
      CAPTURE(cv::Size(width, height));
      CAPTURE(filter);
      CAPTURE(size);
      const auto image = pattern_image(channels, width, height);
      const auto kind = filter == "bicubic" ? interpolation::bicubic : interpolation::bilinear;
      CHECK(checksum(resized(image, {first, last}, size, kind, true)) == wanted);
      ++num_cases;
    }
    CHECK(num_cases == 102);
  }

  TEST_CASE("all kernels for 8 bits make the same pixels") {
    const auto* fast = avx2_kernels();
    if (fast == nullptr)
      return;
    std::mt19937 rng(7);
    std::uniform_int_distribution<int> side(1, 90);
    resize_scratch scratch;
    for (int round = 0; round < 600; ++round) {
      const int channels = 1 + round % 4;
      const auto filter = filters[round / 4 % 2];
      const bool antialias = round % 3 != 0;
      const auto large = random_image(rng, CV_8UC(channels), side(rng), side(rng));
      const auto box = random_box(rng, large.size());
      cv::Mat a(side(rng), side(rng), large.type());
      cv::Mat b(a.size(), large.type());
      resize_filtered(large, box, a, filter, antialias, scratch, plain_kernels_8);
      resize_filtered(large, box, b, filter, antialias, scratch, *fast);
      CAPTURE(round);
      CAPTURE(large.size());
      CAPTURE(a.size());
      CHECK(max_difference(a, b) == 0);
    }
  }

  TEST_CASE("antialiased pixels are near the exact weighted means") {
    std::mt19937 rng(3);
    const cv::Rect2d box(2.4, 1.3, 51.2, 33.9);
    for (const auto filter : filters)
      for (const auto size : {cv::Size(20, 11), cv::Size(90, 70), cv::Size(40, 90)}) {
        cv::Mat narrow = random_image(rng, CV_8UC3, 61, 40);
        // In the middle of the range, so that what overshoots is not cut off half-way, where Pillow cuts.
        narrow = narrow / 4 + cv::Scalar::all(96);
        cv::Mat wide(narrow.size(), CV_16UC3);
        narrow.convertTo(wide, CV_16U, 257);
        const bool bicubic = filter == interpolation::bicubic;
        CHECK(max_difference(resized(narrow, box, size, filter, true), exactly_resized(narrow, box, size, bicubic))
              <= 1);
        CHECK(max_difference(resized(wide, box, size, filter, true), exactly_resized(wide, box, size, bicubic)) <= 1);
      }
  }

  TEST_CASE("without antialias pixels are OpenCV's, within its rounding") {
    std::mt19937 rng(5);
    for (int channels : {1, 2, 3, 4})
      for (const auto size : {cv::Size(20, 11), cv::Size(90, 70), cv::Size(61, 13)}) {
        cv::Mat image = random_image(rng, CV_8UC(channels), 61, 40);
        image = image / 4 + cv::Scalar::all(96);
        cv::Mat linear;
        cv::Mat cubic;
        cv::resize(image, linear, size, 0, 0, cv::INTER_LINEAR);
        cv::resize(image, cubic, size, 0, 0, cv::INTER_CUBIC);
        CHECK(max_difference(resized(image, all_of(image), size, interpolation::bilinear, false), linear) <= 1);
        CHECK(max_difference(resized(image, all_of(image), size, interpolation::bicubic, false), cubic) <= 1);
      }
  }

  TEST_CASE("16 bits keep their depth") {
    cv::Mat image(1, 2, CV_16UC1);
    image.at<std::uint16_t>(0, 0) = 1000;
    image.at<std::uint16_t>(0, 1) = 65535;
    const auto made = resized(image, all_of(image), {4, 1}, interpolation::bilinear, false);
    CHECK(made.at<std::uint16_t>(0, 0) == 1000);
    CHECK(made.at<std::uint16_t>(0, 1) == 17134);
    CHECK(made.at<std::uint16_t>(0, 2) == 49401);
    CHECK(made.at<std::uint16_t>(0, 3) == 65535);
  }

  TEST_CASE("nearest takes the pixel under the centre of the target pixel") {
    std::mt19937 rng(9);
    for (int type : {CV_8UC1, CV_8UC2, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3, CV_16UC4}) {
      const auto image = random_image(rng, type, 23, 17);
      const cv::Rect2d box(1.5, 2.25, 20, 12.5);
      const auto made = resized(image, box, {7, 30}, interpolation::nearest, true);
      for (int y = 0; y < made.rows; ++y)
        for (int x = 0; x < made.cols; ++x) {
          const int from_x = static_cast<int>(1.5 + (x + 0.5) * 20 / 7);
          const int from_y = static_cast<int>(2.25 + (y + 0.5) * 12.5 / 30);
          CHECK(std::equal(made.ptr(y, x), made.ptr(y, x) + made.elemSize(), image.ptr(from_y, from_x)));
        }
    }
  }

  TEST_CASE("a box of whole pixels, as large as the target, is copied") {
    std::mt19937 rng(11);
    for (int type : {CV_8UC1, CV_8UC3, CV_16UC3}) {
      const auto image = random_image(rng, type, 50, 40);
      const cv::Rect box(7, 3, 35, 30);
      for (const auto filter : {interpolation::nearest, interpolation::bilinear, interpolation::bicubic})
        for (const bool antialias : {false, true})
          CHECK(max_difference(resized(image, box, box.size(), filter, antialias), image(box)) == 0);
    }
  }

  TEST_CASE("a window into a larger image gives what its copy gives, and is written like it") {
    std::mt19937 rng(13);
    for (int channels : {1, 3}) {
      const auto large = random_image(rng, CV_8UC(channels), 80, 70);
      const auto window = large(cv::Rect(9, 20, 71, 50)); // It ends where the memory ends.
      const cv::Rect2d box(3.5, 0, 60.25, 50);
      cv::Mat canvas(60, 60, large.type(), cv::Scalar::all(7));
      cv::Mat inner = canvas(cv::Rect(10, 20, 35, 30));
      resize_scratch scratch;
      resize(window, box, inner, interpolation::bilinear, true, scratch);
      CHECK(max_difference(inner, resized(window.clone(), box, inner.size(), interpolation::bilinear, true)) == 0);
      inner.setTo(cv::Scalar::all(7));
      CHECK(max_difference(canvas, cv::Mat(60, 60, large.type(), cv::Scalar::all(7))) == 0);
    }
  }

  TEST_CASE("memory is kept from image to image, whatever their sizes") {
    std::mt19937 rng(17);
    resize_scratch scratch;
    const auto large = random_image(rng, CV_8UC3, 300, 200);
    const auto small = random_image(rng, CV_8UC1, 9, 12);
    cv::Mat to(50, 60, CV_8UC3);
    cv::Mat grey(50, 60, CV_8UC1);
    resize(large, all_of(large), to, interpolation::bicubic, true, scratch);
    const auto* rows = scratch.rows.data();
    const auto* weights = scratch.weights.data();
    resize(small, all_of(small), grey, interpolation::bilinear, false, scratch);
    CHECK(max_difference(grey, resized(small, all_of(small), grey.size(), interpolation::bilinear, false)) == 0);
    resize(large, all_of(large), to, interpolation::bicubic, true, scratch);
    CHECK(scratch.rows.data() == rows);
    CHECK(scratch.weights.data() == weights);
  }

  TEST_CASE("one colour stays that colour to the edges") {
    for (int value : {0, 1, 128, 254, 255})
      for (const auto filter : filters)
        for (const bool antialias : {false, true}) {
          const cv::Mat image(33, 47, CV_8UC3, cv::Scalar::all(value));
          const auto made = resized(image, {0.3, 0.7, 46.1, 31.9}, {64, 20}, filter, antialias);
          CHECK(max_difference(made, cv::Mat(made.size(), made.type(), cv::Scalar::all(value))) == 0);
        }
  }
}
