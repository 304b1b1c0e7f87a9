#include "actors/support/imaging/image_probe.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

encoded_sample file_sample(std::span<const std::byte> bytes) {
  encoded_sample out;
  out.format = sample_format::image_file;
  out.bytes = bytes;
  return out;
}

encoded_sample raw_sample(const std::vector<unsigned char>& pixels, std::uint32_t channels, std::uint32_t height,
                          std::uint32_t width) {
  encoded_sample out;
  out.channels = channels;
  out.height = height;
  out.width = width;
  out.bytes = std::as_bytes(std::span{pixels});
  return out;
}

std::vector<unsigned char> png_of(const cv::Mat& image) {
  std::vector<unsigned char> out;
  cv::imencode(".png", image, out);
  return out;
}

} // namespace

TEST_SUITE_BEGIN("actors/support/imaging");

TEST_CASE("a probe tells what the file is and what its pixels are like") {
  const cv::Mat image(3, 5, CV_8UC3, cv::Scalar(51, 102, 204)); // Blue, green, red.
  const auto file = png_of(image);
  const auto found = image_prober({}).probe(file_sample(std::as_bytes(std::span{file})));
  REQUIRE(found);
  CHECK(found->facts.format == image_format::png);
  CHECK(found->facts.width == 5);
  CHECK(found->facts.height == 3);
  CHECK(found->facts.channels == 3);
  CHECK(found->facts.bits == 8);
  CHECK_FALSE(found->facts.has_alpha());
  CHECK(found->moments.channels == 3);
  CHECK(found->moments.mean[0] == doctest::Approx(0.8));
  CHECK(found->moments.mean[1] == doctest::Approx(0.4));
  CHECK(found->moments.mean[2] == doctest::Approx(0.2));
  CHECK(found->moments.mean_square[0] == doctest::Approx(0.64));
}

TEST_CASE("a probe of 16 bits has the same scale") {
  const auto file = png_of(cv::Mat(4, 4, CV_16UC1, cv::Scalar(13107)));
  for (const std::int64_t bits : {8, 16}) {
    const auto found = image_prober({.channels = 1, .bits = bits}).probe(file_sample(std::as_bytes(std::span{file})));
    REQUIRE(found);
    CHECK(found->facts.bits == 16);
    CHECK(found->facts.channels == 1);
    CHECK(found->moments.mean[0] == doctest::Approx(0.2));
  }
}

TEST_CASE("a probe of raw pixels sums them up") {
  const std::vector<unsigned char> pixels = {0, 255, 0, 0};
  const auto found = image_prober({}).probe(raw_sample(pixels, 1, 2, 2));
  REQUIRE(found);
  CHECK(found->facts.format == image_format::unknown);
  CHECK(found->facts.width == 2);
  CHECK(found->moments.mean[0] == doctest::Approx(0.25));
  CHECK(found->moments.mean_square[0] == doctest::Approx(0.25));
}

TEST_CASE("a probe fails where training would") {
  auto file = png_of(picture({40, 30}));
  image_prober prober({});
  CHECK(prober.probe(file_sample(std::as_bytes(std::span{file}))));
  CHECK(image_prober({.max_pixels = 1199}).probe(file_sample(std::as_bytes(std::span{file}))).error().code
        == ec::bad_data);
  file.resize(file.size() - 1);
  CHECK(prober.probe(file_sample(std::as_bytes(std::span{file}))).error().code == ec::corrupt);
  CHECK_FALSE(prober.probe(file_sample({})));
  const std::vector<unsigned char> pixels(5);
  CHECK(prober.probe(raw_sample(pixels, 1, 2, 2)).error().code == ec::bad_data);
}

TEST_CASE("extensions promise formats, in whatever case") {
  CHECK(promised_format("a/b.JPG") == image_format::jpeg);
  CHECK(promised_format("x.tar[a.tiff") == image_format::tiff);
  CHECK(promised_format("a.ppm") == image_format::pnm);
  CHECK(promised_format("jpg") == image_format::unknown);
  CHECK(promised_format("a.jpg.part") == image_format::unknown);
  CHECK(promised_format("") == image_format::unknown);
  CHECK(name_of(image_format::jpeg2000) == "JPEG 2000");
}

TEST_SUITE_END();
