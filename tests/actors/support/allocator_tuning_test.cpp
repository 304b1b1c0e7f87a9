#include "actors/support/allocator_tuning.hpp"

#include <cstddef>
#include <vector>

#include "tests/support/doctest.hpp"

TEST_SUITE("actors/support/allocator_tuning") {
  TEST_CASE("memory can be used as before after the thresholds are raised") {
    static_cast<void>(troupe::keep_freed_memory());
    for (std::size_t mib = 1; mib <= 64; mib *= 2) {
      std::vector<char> block(mib << 20, 'x');
      CHECK(block.back() == 'x');
    }
  }

#if defined(__GLIBC__) && !defined(__SANITIZE_ADDRESS__)
  TEST_CASE("glibc takes the settings") {
    CHECK(troupe::keep_freed_memory());
  }
#endif
}
