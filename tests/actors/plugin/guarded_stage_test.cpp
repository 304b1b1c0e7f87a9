#include "tests/actors/plugin/moody.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace troupe::testing;

namespace {

struct fixture {
  plugin lab = moody_plugin();
  const stage_kind& moody = lab.actors.stages.at(0);
  pipeline_bench bench = bench_of(plain_samples({10, 20, 30, 40, 50, 60, 70, 80}, {1, 2, 2}));
};

std::vector<float> grey(std::size_t i, float more) {
  return std::vector<float>(4, static_cast<float>(10 * (i + 1)) / 255 + more);
}

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE_FIXTURE(fixture, "a stage gets all slices, also one that wants a thread of its own") {
  bench.data[5] = unreadable_sample(5);
  const auto result = bench.run(moody);
  for (std::size_t i = 0; i < 8; ++i)
    if (i == 5)
      CHECK(result.slots[i].bad == "cannot be read");
    else
      CHECK(result.slots[i].pixels == grey(i, 1));
  CHECK(same_with_any_number(bench, moody));
}

TEST_CASE_FIXTURE(fixture, "whatever a stage throws, before or after it took the slice, the slice comes home") {
  for (const std::string where : {"before", "after"})
    for (const auto& what : all_kinds) {
      CAPTURE(where);
      CAPTURE(what);
      const auto result = bench.run(moody, {{"where", where}, {"what", what}, {"from", 2}});
      REQUIRE(result.failures.size() == 3);
      CHECK(result.failures[0].component == "stage moody#0");
      CHECK(result.failures[0].what == text_of_one(what));
      CHECK(result.slots[0].pixels == grey(0, 1));
      CHECK(result.num_dropped == 3);
      CHECK(result.num_lost == 0);
    }
}

TEST_CASE_FIXTURE(fixture, "once disabled, slices pass as they are") {
  bench.on_failure = plugin_policy::disable;
  const auto result = bench.run(moody, {{"where", "after"}, {"from", 2}});
  CHECK(result.failures.size() == 1);
  CHECK(result.slots[0].pixels == grey(0, 1));
  CHECK(result.slots[4].pixels == grey(4, 0));
  CHECK(result.slots[7].pixels == grey(7, 0));
  CHECK(result.num_dropped == 1);
}

TEST_SUITE_END();
