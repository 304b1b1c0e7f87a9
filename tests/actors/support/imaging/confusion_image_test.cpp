#include "actors/support/imaging/confusion_image.hpp"

#include <opencv2/imgcodecs.hpp>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

std::vector<std::string> numbered(std::size_t num_classes) {
  std::vector<std::string> names;
  for (std::size_t i = 0; i < num_classes; ++i)
    names.push_back("class " + std::to_string(i));
  return names;
}

/// All samples of every class are right.
std::vector<std::uint64_t> perfect(std::size_t num_classes, std::uint64_t per_class) {
  std::vector<std::uint64_t> counts(num_classes * num_classes);
  for (std::size_t i = 0; i < num_classes; ++i)
    counts[i * num_classes + i] = per_class;
  return counts;
}

cv::Mat decode(const png_image& image) {
  const std::vector<unsigned char> bytes(image.bytes.begin(), image.bytes.end());
  return cv::imdecode(bytes, cv::IMREAD_COLOR);
}

/// Pixels that are clearly of a deep blue, or red.
int count_deep(const cv::Mat& image, int strong_channel) {
  int count = 0;
  for (int y = 0; y < image.rows; ++y)
    for (int x = 0; x < image.cols; ++x) {
      const auto& pixel = image.at<cv::Vec3b>(y, x);
      count += pixel[strong_channel] > 100 && pixel[strong_channel] - pixel[2 - strong_channel] > 100;
    }
  return count;
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("a confusion matrix comes as a PNG of the size that it says, for any number of classes") {
    for (const std::size_t num_classes : {1u, 2u, 10u, 39u, 40u, 100u, 700u, 1000u}) {
      CAPTURE(num_classes);
      const auto image = draw_confusion_matrix(perfect(num_classes, 50), numbered(num_classes));
      REQUIRE(image);
      CHECK(image->bytes.substr(0, 8) == "\x89PNG\r\n\x1a\n");
      const auto pixels = decode(*image);
      CHECK(pixels.cols == static_cast<int>(image->width));
      CHECK(pixels.rows == static_cast<int>(image->height));
      CHECK(image->width < 1600);
    }
  }

  TEST_CASE("hits are blue and misses are red") {
    const auto hits = decode(*draw_confusion_matrix(std::vector<std::uint64_t>{9, 0, 0, 9}, numbered(2)));
    const auto misses = decode(*draw_confusion_matrix(std::vector<std::uint64_t>{0, 9, 9, 0}, numbered(2)));
    CHECK(count_deep(hits, 0) > 10 * count_deep(misses, 0));
    CHECK(count_deep(misses, 2) > 10 * count_deep(hits, 2));
  }

  TEST_CASE("colours are shares of the row, so rows of any size look alike") {
    // Cells that leave no room for counts, so that nothing but colour differs.
    const auto small = draw_confusion_matrix(perfect(64, 1), numbered(64));
    const auto large = draw_confusion_matrix(perfect(64, 1'000'000'000), numbered(64));
    CHECK(small->bytes == large->bytes);
  }

  TEST_CASE("counts are written where there is room, and shortened where there is little") {
    const auto picture = [](std::uint64_t per_class, std::size_t n) {
      return draw_confusion_matrix(perfect(n, per_class), numbered(n))->bytes;
    };
    CHECK(picture(7, 10) != picture(8, 10));
    CHECK(picture(1'234'000, 20) == picture(1'234'001, 20));
    CHECK(picture(1'234'000, 20) != picture(2'234'000, 20));
  }

  TEST_CASE("the largest count overflows nothing") {
    CHECK(draw_confusion_matrix(std::vector<std::uint64_t>(4, UINT64_MAX), numbered(2)));
  }

  TEST_CASE("a class without samples is grey, not a division by zero") {
    const auto image = decode(*draw_confusion_matrix(std::vector<std::uint64_t>{5, 0, 0, 0}, numbered(2)));
    int grey = 0;
    for (int y = 0; y < image.rows; ++y)
      for (int x = 0; x < image.cols; ++x)
        grey += image.at<cv::Vec3b>(y, x) == cv::Vec3b(236, 236, 236);
    CHECK(grey > 10'000);
  }

  TEST_CASE("names of any length and any bytes are drawn without leaving the picture") {
    const std::vector<std::string> names{std::string(5000, 'W'), "\xc3\xa4\x01\n\xff", ""};
    const auto image = draw_confusion_matrix(perfect(3, 1), names);
    REQUIRE(image);
    CHECK(image->width < 1000);
  }

  TEST_CASE("counts that do not fit the classes are refused") {
    const auto image = draw_confusion_matrix(std::vector<std::uint64_t>(5), numbered(2));
    REQUIRE(!image);
    CHECK(image.error().code == ec::mismatch);
    CHECK(image.error().context.find("5 counts for 2 classes, expected 4") != std::string::npos);
  }

  TEST_CASE("no class and too many classes are refused") {
    CHECK(draw_confusion_matrix({}, {}).error().code == ec::unsupported);
    CHECK(draw_confusion_matrix({}, numbered(max_confusion_classes + 1)).error().code == ec::unsupported);
  }

} // TEST_SUITE
