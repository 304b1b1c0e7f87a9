// Files that are damaged in thousands of ways: an error or pixels, never a crash, an exception or a long wait.
#include "actors/support/imaging/image_decoder.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include <chrono>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

std::vector<file_bytes> valid_files() {
  const auto rgb = picture({61, 47});
  cv::Mat deep;
  rgb.convertTo(deep, CV_16U, 257);
  std::vector<file_bytes> files;
  for (const bool progressive : {false, true})
    files.push_back(jpeg_file(rgb, {.progressive = progressive, .orientation = 6, .restart_rows = 1}));
  files.push_back(jpeg_file(picture({61, 47}, 4), {.h_factor = 1, .v_factor = 1, .adobe = true, .stored = JCS_YCCK}));
  for (const auto* extension : {".png", ".bmp", ".tiff", ".webp", ".ppm", ".jp2"})
    files.push_back(opencv_file(extension, rgb));
  files.push_back(opencv_file(".png", deep));
  files.push_back(opencv_file(".tiff", deep));
  files.push_back(file_of("P3 2 2 255\n1 2 3  4 5 6  7 8 9  10 11 12\n"));
  return files;
}

/// Flips a few bytes, half of the time in the first 128, and cuts a part off now and then.
file_bytes damaged(file_bytes file, cv::RNG& random) {
  const int num_bytes = static_cast<int>(file.size());
  for (int i = random.uniform(0, 4); i >= 0; --i) {
    const int range = random.uniform(0, 2) == 0 ? num_bytes : std::min(num_bytes, 128);
    file[static_cast<std::size_t>(random.uniform(0, range))] = static_cast<unsigned char>(random.uniform(0, 256));
  }
  if (random.uniform(0, 4) == 0)
    file.resize(static_cast<std::size_t>(random.uniform(0, num_bytes + 1)));
  return file;
}

/// Decodes a file if it has a header; returns whether it came to pixels.
bool try_decode(image_decoder& decoder, const file_bytes& file, cv::RNG& random) {
  const auto header = read_image_header(as_bytes(file));
  if (!header)
    return false;
  if (random.uniform(0, 2) == 0)
    return decoder.decode(as_bytes(file), *header).has_value();
  const auto size = header->oriented_size();
  const int x = random.uniform(0, size.width);
  const int y = random.uniform(0, size.height);
  const cv::Rect region{x, y, random.uniform(1, size.width - x + 1), random.uniform(1, size.height - y + 1)};
  return decoder.decode_region(as_bytes(file), *header, region, {8, 8}).has_value();
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("damaged files of every format end in an error or in pixels") {
    cv::RNG random{11};
    image_decoder decoder{{.max_pixels = 1'000'000}};
    std::size_t num_decoded = 0;
    for (const auto& file : valid_files()) {
      REQUIRE(try_decode(decoder, file, random));
      for (int i = 0; i < 400; ++i) {
        const auto begin = std::chrono::steady_clock::now();
        num_decoded += try_decode(decoder, damaged(file, random), random);
        CHECK(std::chrono::steady_clock::now() - begin < std::chrono::seconds(2));
      }
    }
    CHECK(num_decoded > 0);
  }
}
