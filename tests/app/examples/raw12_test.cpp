#include "actors/plugin/testing.hpp"

#include <future>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

using file_bytes = std::vector<std::byte>;

void add(file_bytes& file, std::uint32_t value, int num_bytes) {
  for (int i = 0; i < num_bytes; ++i)
    file.push_back(static_cast<std::byte>(value >> 8 * i));
}

file_bytes file_of(std::uint32_t width, std::uint32_t height, const std::vector<std::uint32_t>& pixels) {
  file_bytes file;
  for (const char c : {'R', 'A', 'W', '1', '2', '\0'})
    add(file, static_cast<std::uint32_t>(c), 1);
  add(file, width, 4);
  add(file, height, 4);
  for (std::size_t i = 0; i < pixels.size(); i += 2)
    if (i + 1 < pixels.size())
      add(file, pixels[i] | pixels[i + 1] << 12, 3);
    else
      add(file, pixels[i], 2);
  return file;
}

struct fixture {
  plugin mine = this_plugin();
  const decoder_component& raw12 = offered(mine.components.decoders, "raw12");

  cv::Mat decode(const file_bytes& file, const settings& given = {}) const {
    return decoded(*made(raw12, given), file);
  }
};

} // namespace

TEST_SUITE_BEGIN("app/examples");

TEST_CASE_FIXTURE(fixture, "packed pixels come out in their order, black at 0 and white at 65535") {
  const auto image = decode(file_of(3, 1, {0, 4095, 0xABC}));
  REQUIRE(image.size() == cv::Size(3, 1));
  REQUIRE(image.type() == CV_16UC1);
  CHECK(image.at<std::uint16_t>(0, 0) == 0);
  CHECK(image.at<std::uint16_t>(0, 1) == 65535);
  CHECK(image.at<std::uint16_t>(0, 2) == (0xABC * 65535 + 2047) / 4095);
}

TEST_CASE_FIXTURE(fixture, "rows follow each other without a gap, also where a row ends in the middle of a byte") {
  const auto image = decode(file_of(3, 3, {0, 1, 2, 3, 4, 5, 6, 7, 8}));
  for (int i = 0; i < 9; ++i)
    CHECK(image.at<std::uint16_t>(i / 3, i % 3) == (i * 65535 + 2047) / 4095);
}

TEST_CASE_FIXTURE(fixture, "`white` says what becomes white; what is brighter is cut") {
  const auto image = decode(file_of(3, 1, {500, 1000, 4000}), {{"white", 1000}});
  CHECK(image.at<std::uint16_t>(0, 0) == 32768);
  CHECK(image.at<std::uint16_t>(0, 1) == 65535);
  CHECK(image.at<std::uint16_t>(0, 2) == 65535);
}

TEST_CASE_FIXTURE(fixture, "only files that begin with the magic bytes are recognised") {
  const auto decoder = made(raw12, {});
  auto file = file_of(2, 1, {1, 2});
  CHECK(decoder->recognises(file));
  CHECK_FALSE(decoder->recognises(std::span(file).first(13)));
  CHECK_FALSE(decoder->recognises({}));
  file[5] = std::byte{' '};
  CHECK_FALSE(decoder->recognises(file));
  CHECK(decoder->extensions() == std::vector<std::string>{"r12"});
}

TEST_CASE_FIXTURE(fixture, "a file that ends early is refused, with what is missing, and nothing beyond it is read") {
  const auto whole = file_of(4, 2, {1, 2, 3, 4, 5, 6, 7, 8});
  CHECK_THROWS_WITH(decode(file_bytes(whole.begin(), whole.end() - 1)), "ends after 11 bytes of pixels, expected 12");
  for (std::size_t length = 14; length < whole.size(); ++length)
    CHECK_THROWS_AS(decode(file_bytes(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(length))),
                    std::runtime_error);
}

TEST_CASE_FIXTURE(fixture, "sizes that no picture has are refused before anything is allocated") {
  for (const std::uint32_t side : {0U, 32768U, 0xFFFFFFFFU}) {
    CHECK_THROWS_AS(decode(file_of(side, 1, {1, 2})), std::runtime_error);
    CHECK_THROWS_AS(decode(file_of(1, side, {1, 2})), std::runtime_error);
  }
}

TEST_CASE_FIXTURE(fixture, "many threads decode by one decoder") {
  const auto file = file_of(5, 1, {10, 20, 30, 40, 50});
  const auto expected = decode(file);
  const auto decoder = made(raw12, {});
  std::vector<std::future<cv::Mat>> threads;
  for (int i = 0; i < 8; ++i)
    threads.push_back(std::async(std::launch::async, [&] { return decoded(*decoder, file); }));
  for (auto& each : threads)
    CHECK(same_pixels(each.get(), expected));
}

TEST_SUITE_END();
