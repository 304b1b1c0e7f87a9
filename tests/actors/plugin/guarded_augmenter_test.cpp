#include "tests/actors/plugin/moody.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace troupe::testing;

namespace {

struct fixture {
  plugin lab = moody_plugin();
  const augmenter_kind& moody = lab.actors.augmenters.at(0);
  pipeline_bench bench = bench_of(plain_samples({10, 20, 30, 40, 50, 60, 70, 80}, {1, 2, 2}));
};

const std::vector<float> sevens(4, 7.f);

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE_FIXTURE(fixture, "an augmenter that does not throw fills all slots") {
  const auto result = bench.run(moody);
  CHECK(result.failures.empty());
  for (const auto& slot : result.slots)
    CHECK(slot.pixels == sevens);
  CHECK(result.num_lost == 0);
}

TEST_CASE_FIXTURE(fixture, "whatever it throws is told by name; it lives on, asks for more, and slices come home") {
  for (const std::string where : {"chunk", "response"})
    for (const auto& what : all_kinds) {
      CAPTURE(where);
      CAPTURE(what);
      const auto result = bench.run(moody, {{"where", where}, {"what", what}});
      REQUIRE(result.failures.size() == 4); // Each of the four chunks was tried.
      for (const auto& each : result.failures) {
        CHECK(each.plugin == "lab");
        CHECK(each.component == "augmenter moody#0");
        CHECK(each.what == text_of_one(what));
        CHECK_FALSE(each.disabled);
      }
      CHECK(result.num_dropped == 4);
      CHECK(result.num_lost == 0);
    }
}

TEST_CASE_FIXTURE(fixture, "a failure now does not touch what was done before, or is done after") {
  bench.chunk_size = 1;
  const auto result = bench.run(moody, {{"where", "response"}, {"from", 8}});
  CHECK(result.failures.size() == 1);
  for (std::size_t i = 0; i < 7; ++i)
    CHECK(result.slots[i].pixels == sevens);
  CHECK(result.slots[7].bad == "was not handed on");
}

TEST_CASE_FIXTURE(fixture, "once disabled, samples are made without it, from the next chunk on") {
  bench.on_failure = plugin_policy::disable;
  for (const std::string where : {"chunk", "response"}) {
    const auto result = bench.run(moody, {{"where", where}, {"from", 2}});
    REQUIRE(result.failures.size() == 1);
    CHECK(result.failures[0].disabled);
    CHECK(result.slots[0].pixels == sevens);
    CHECK(result.slots[2].bad == "was not handed on"); // The slice that it failed with: home, to be filled again.
    for (std::size_t i = 4; i < 8; ++i)
      CHECK(result.slots[i].pixels == std::vector<float>(4, static_cast<float>(10 * (i + 1)) / 255));
    CHECK(result.num_dropped == 1);
    CHECK(result.num_lost == 0);
  }
}

TEST_CASE_FIXTURE(fixture, "once disabled, what its state held comes home") {
  bench.on_failure = plugin_policy::disable;
  const auto result = bench.run(moody, {{"where", "hold"}, {"from", 3}});
  CHECK(result.failures.size() == 1);
  CHECK(result.num_dropped == 3);
  CHECK(result.slots[6].pixels == std::vector<float>(4, 70.f / 255));
  CHECK(result.num_lost == 0);
}

TEST_CASE_FIXTURE(fixture, "what it holds without ever failing is missed, and comes home when it ends") {
  const auto result = bench.run(moody, {{"where", "hold"}, {"from", 1000}});
  CHECK(result.failures.empty());
  for (const auto& slot : result.slots)
    CHECK(slot.bad == "was not handed on");
  CHECK(result.num_lost == 0);
}

TEST_CASE_FIXTURE(fixture, "a failure of one instance disables that one alone") {
  bench.on_failure = plugin_policy::disable;
  bench.num_instances = 2;
  bench.chunk_size = 1;
  const auto result = bench.run(moody, {{"where", "chunk"}, {"from", 4}});
  std::vector<std::string> who;
  for (const auto& each : result.failures)
    who.push_back(each.component);
  std::sort(who.begin(), who.end());
  CHECK(who == std::vector<std::string>{"augmenter moody#0", "augmenter moody#1"});
}

TEST_CASE_FIXTURE(fixture, "the substitute makes bad samples bad, as ever") {
  bench.on_failure = plugin_policy::disable;
  bench.chunk_size = 1;
  bench.data[3] = unreadable_sample(3);
  bench.data[4].bytes = bench.data[4].bytes.first(1);
  const auto result = bench.run(moody, {{"where", "chunk"}});
  CHECK(result.slots[3].bad == "cannot be read");
  CHECK(result.slots[4].bad == "has 1 bytes, expected 4");
  CHECK(result.slots[5].bad == "");
}

TEST_CASE_FIXTURE(fixture, "a status question that throws is answered by the error, and the next one may be answered") {
  company people;
  augmenter_role role;
  people.introduce(role, moody, "augmenter moody#0", values_of(moods(), {{"where", "status"}, {"from", 2}}));
  role.loader = people.loader();
  role.next = people.next();
  const auto actor = people.keep(moody.spawn(people.system(), role));
  CHECK(people.ask<actor_status>(actor, status_atom_v).doing == "fills");
  CHECK_THROWS_WITH(static_cast<void>(people.ask<actor_status>(actor, status_atom_v)),
                    "augmenter moody#0 (plugin lab): no mood");
  CHECK(people.memory().failures.size() == 1);
  CHECK(people.memory().times_asked == 1); // At the start: no chunk was lost.
}

TEST_SUITE_END();
