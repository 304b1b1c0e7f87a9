#include "actors/support/crc32c.hpp"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <random>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::vector<std::byte> random_bytes(std::size_t count) {
  std::mt19937 engine{7};
  std::vector<std::byte> result(count);
  for (auto& b : result)
    b = static_cast<std::byte>(engine() & 0xFF);
  return result;
}

template <class Crc>
void check_vectors(Crc crc) {
  std::array<std::byte, 32> bytes{};
  CHECK(crc(std::span<const std::byte>{bytes}) == 0x8A9136AA);
  bytes.fill(std::byte{0xFF});
  CHECK(crc(std::span<const std::byte>{bytes}) == 0x62A8AB43);
  for (std::size_t i = 0; i < bytes.size(); ++i)
    bytes[i] = static_cast<std::byte>(i);
  CHECK(crc(std::span<const std::byte>{bytes}) == 0x46DD794E);
  std::reverse(bytes.begin(), bytes.end());
  CHECK(crc(std::span<const std::byte>{bytes}) == 0x113FDB5C);
}

} // namespace

TEST_SUITE_BEGIN("actors/support/crc32c");

TEST_CASE("the check value of the catalogue of CRCs comes out") {
  CHECK(crc32c("123456789") == 0xE3069283);
  CHECK(crc32c_portable(std::as_bytes(std::span{std::string_view{"123456789"}})) == 0xE3069283);
}

TEST_CASE("the test vectors of RFC 3720, B.4 come out") {
  check_vectors([](std::span<const std::byte> bytes) { return crc32c(bytes); });
  check_vectors([](std::span<const std::byte> bytes) { return crc32c_portable(bytes); });
}

TEST_CASE("no bytes leave the checksum as it was") {
  CHECK(crc32c("") == 0);
  CHECK(crc32c("", 0x12345678) == 0x12345678);
  CHECK(crc32c_portable({}, 0x12345678) == 0x12345678);
}

TEST_CASE("the fast and the portable way agree for every length and alignment") {
  auto bytes = random_bytes(300);
  for (std::size_t begin = 0; begin < 9; ++begin)
    for (std::size_t length = 0; begin + length <= bytes.size(); length += 1 + length / 8) {
      auto part = std::span<const std::byte>{bytes}.subspan(begin, length);
      CAPTURE(begin);
      CAPTURE(length);
      CHECK(crc32c(part) == crc32c_portable(part));
      CHECK(crc32c(part, 0xDEADBEEF) == crc32c_portable(part, 0xDEADBEEF));
    }
}

TEST_CASE("pieces one after another give the checksum of the whole") {
  auto bytes = random_bytes(100);
  auto whole = crc32c(bytes);
  for (std::size_t cut = 0; cut <= bytes.size(); ++cut) {
    auto all = std::span<const std::byte>{bytes};
    CHECK(crc32c(all.subspan(cut), crc32c(all.first(cut))) == whole);
    CHECK(crc32c_portable(all.subspan(cut), crc32c_portable(all.first(cut))) == whole);
  }
}

TEST_CASE("one flipped bit anywhere changes the checksum") {
  auto bytes = random_bytes(64);
  auto whole = crc32c(bytes);
  for (std::size_t bit = 0; bit < bytes.size() * 8; ++bit) {
    auto mask = static_cast<std::byte>(1u << (bit % 8));
    bytes[bit / 8] ^= mask;
    CHECK(crc32c(bytes) != whole);
    bytes[bit / 8] ^= mask;
  }
}

TEST_SUITE_END();
