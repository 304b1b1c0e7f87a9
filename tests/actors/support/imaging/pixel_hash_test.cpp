#include "actors/support/imaging/pixel_hash.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include <opencv2/core.hpp>
#include <set>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// Values 0, 1, 2, ... in reading order, modulo 256 where they are bytes.
cv::Mat counting(cv::Size size, int type) {
  cv::Mat image(size, type);
  cv::Mat values = image.reshape(1, 1);
  for (int i = 0; i < values.cols; ++i)
    if (image.depth() == CV_8U)
      values.ptr<std::uint8_t>()[i] = static_cast<std::uint8_t>(i);
    else
      values.ptr<std::uint16_t>()[i] = static_cast<std::uint16_t>(i);
  return image;
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("the hash of a window is that of its copy, whatever lies around it") {
    for (const int type : {CV_8UC1, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC3})
      for (const cv::Size size : {cv::Size(1, 1), {3, 5}, {28, 28}, {100, 7}, {224, 224}}) {
        CAPTURE(type);
        CAPTURE(size.width);
        cv::Mat around(size.height + 2, size.width + 5, type);
        cv::RNG(5).fill(around, cv::RNG::UNIFORM, 0, 256);
        const cv::Mat window = around(cv::Rect({2, 1}, size));
        const auto hash = pixel_hash(window.clone());
        CHECK(pixel_hash(window) == hash);
        around.col(1).setTo(cv::Scalar::all(77));
        around.col(size.width + 2).setTo(cv::Scalar::all(77));
        CHECK(pixel_hash(window) == hash);
      }
  }

  TEST_CASE("every bit of every pixel counts") {
    for (const int type : {CV_8UC1, CV_8UC3, CV_16UC1}) {
      auto image = counting({17, 9}, type);
      std::set<std::uint64_t> hashes{pixel_hash(image)};
      const auto num_bytes = image.total() * image.elemSize();
      for (std::size_t i = 0; i < num_bytes; ++i)
        for (int bit = 0; bit < 8; ++bit) {
          image.data[i] = static_cast<unsigned char>(image.data[i] ^ (1 << bit));
          hashes.insert(pixel_hash(image));
          image.data[i] = static_cast<unsigned char>(image.data[i] ^ (1 << bit));
        }
      CHECK(hashes.size() == 8 * num_bytes + 1);
    }
  }

  TEST_CASE("the same bytes in another shape or depth have another hash") {
    const std::vector<unsigned char> bytes(144, 0);
    std::set<std::uint64_t> hashes;
    std::size_t num_shapes = 0;
    for (const int type : {CV_8UC1, CV_8UC2, CV_8UC3, CV_8UC4, CV_16UC1, CV_16UC2, CV_16UC3, CV_16UC4})
      for (int width = 1; width <= 144; ++width) {
        const auto row_bytes = width * CV_ELEM_SIZE(type);
        if (144 % row_bytes != 0)
          continue;
        hashes.insert(pixel_hash({144 / row_bytes, width, type, const_cast<unsigned char*>(bytes.data())}));
        ++num_shapes;
      }
    CHECK(hashes.size() == num_shapes);
  }

  TEST_CASE("images without pixels differ by their sides") {
    CHECK(pixel_hash(cv::Mat(0, 3, CV_8UC1)) != pixel_hash(cv::Mat(3, 0, CV_8UC1)));
  }

  TEST_CASE("any thread gets the same hash") {
    const auto image = picture({90, 70});
    std::uint64_t there = 0;
    std::thread([&] { there = pixel_hash(image); }).join();
    CHECK(there == pixel_hash(image));
  }

  TEST_CASE("the hash is XXH3, so that recorded ones stay good") {
    // From the Python package xxhash: xxh3_64_intdigest(bytes, seed=height << 40 | width << 16 | channels << 8 | 8).
    CHECK(pixel_hash(counting({5, 3}, CV_8UC1)) == 0x4b187e1fc7853610);
    CHECK(pixel_hash(counting({28, 28}, CV_8UC1)) == 0xcb3832132c2dd436);
    CHECK(pixel_hash(counting({64, 48}, CV_8UC3)) == 0xdb9c4f2216cb4834);
  }

} // TEST_SUITE
