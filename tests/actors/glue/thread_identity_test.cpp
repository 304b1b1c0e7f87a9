#include "actors/glue/thread_identity.hpp"

#include <sched.h>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

int num_usable() {
  cpu_set_t mask;
  sched_getaffinity(0, sizeof(mask), &mask);
  return CPU_COUNT(&mask);
}

} // namespace

TEST_SUITE("actors/glue") {

  TEST_CASE("a thread keeps to the CPUs that it is given, and no mask is made where there is nothing to choose") {
    const int all = num_usable();
    CHECK(first_usable_cpus(all).empty());
    CHECK(first_usable_cpus(all + 1).empty());
    if (all < 2)
      return;
    const auto one = first_usable_cpus(1);
    REQUIRE(one.size() == 1);
    std::thread([&] {
      pin_thread(one);
      CHECK(num_usable() == 1);
      CHECK(sched_getcpu() == one[0]);
      CHECK(first_usable_cpus(1).empty());
    }).join();
    CHECK(num_usable() == all);
  }

  TEST_CASE("an empty mask changes nothing") {
    const int all = num_usable();
    pin_thread({});
    CHECK(num_usable() == all);
  }

} // TEST_SUITE
