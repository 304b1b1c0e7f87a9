#include "actors/support/network/contract.hpp"

#include <cstdio>
#include <cstdlib>

namespace troupe {

void require(bool holds, const char* who, const char* what) noexcept {
  if (holds)
    return;
  std::fprintf(stderr, "%s: broken contract: %s\n", who, what);
  std::abort();
}

} // namespace troupe
