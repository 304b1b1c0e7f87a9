#include "actors/support/components/guarded_block.hpp"

#include <algorithm>
#include <cstdint>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/support/components");

TEST_CASE("a block is aligned, empty, and as large as was asked for, whatever the size") {
  for (const std::size_t size : {0, 1, 63, 64, 65, 100'003}) {
    guarded_block block(size);
    CHECK(block.size() == size);
    CHECK(reinterpret_cast<std::uintptr_t>(block.data()) % 64 == 0);
    CHECK(std::all_of(block.data(), block.data() + size, [](std::byte x) { return x == std::byte{0}; }));
    CHECK(block.intact());
  }
}

TEST_CASE("all of the block may be written") {
  guarded_block block(1000);
  std::fill_n(block.data(), block.size(), std::byte{0xFF});
  CHECK(block.intact());
}

#ifndef __SANITIZE_ADDRESS__ // There the process ends at the write.
TEST_CASE("one byte before, behind or far behind it is noticed") {
  for (const std::ptrdiff_t at : {-1, -64, -4000, 1000, 1001, 5000}) {
    CAPTURE(at);
    guarded_block block(1000);
    block.data()[at] = std::byte{1};
    CHECK_FALSE(block.intact());
  }
}
#endif

TEST_SUITE_END();
