#include "tests/actors/plugin/moody.hpp"

#include "actors/glue/guard.hpp"

#include <caf/actor_cast.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/system_messages.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace troupe::testing;

namespace {

struct fixture {
  plugin lab = moody_plugin();
  const listener_kind& moody = lab.actors.listeners.at(0);
};

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE_FIXTURE(fixture, "whatever a listener throws at a report is told, and it listens on") {
  for (const auto& what : all_kinds) {
    CAPTURE(what);
    listener_bench steps(moody, {{"where", "step"}, {"what", what}}, {});
    steps.step(1, 0, {});
    steps.step(2, 0, {});
    REQUIRE(steps.failures().size() == 2);
    CHECK(steps.failures()[1].component == "listener moody");
    CHECK(steps.failures()[1].what == text_of_one(what));
    CHECK(steps.keep() == "mine");
  }
}

TEST_CASE_FIXTURE(fixture, "the same at a validation") {
  listener_bench bench(moody, {{"where", "validation"}}, {});
  bench.validation({});
  CHECK(bench.failures().size() == 1);
  CHECK(bench.keep() == "mine");
}

TEST_CASE_FIXTURE(fixture, "a question that throws is answered by the error, whatever was thrown") {
  for (const auto& what : all_kinds) {
    const auto text = "listener moody (plugin lab): " + text_of_one(what);
    listener_bench weigher(moody, {{"where", "weigh"}, {"what", what}}, {});
    CHECK_THROWS_WITH(static_cast<void>(weigher.weigh(0)), text.c_str());
    CHECK(weigher.keep() == "mine");
  }
  listener_bench keeper(moody, {{"where", "keep"}}, {});
  CHECK_THROWS_WITH(static_cast<void>(keeper.keep()), "listener moody (plugin lab): no mood");
  CHECK(keeper.weigh(0) != nullptr);
}

TEST_CASE_FIXTURE(fixture, "once disabled it weighs nothing and keeps nothing, and throws no more") {
  listener_bench bench(moody, {{"where", "step"}}, {.on_failure = plugin_policy::disable});
  for (std::uint64_t step = 1; step < 4; ++step)
    bench.step(step, 0, {});
  bench.validation({});
  CHECK(bench.failures().size() == 1);
  CHECK(bench.weigh(0) == nullptr);
  CHECK(bench.keep().empty());
  CHECK(bench.status().doing == "is disabled");
}

TEST_CASE_FIXTURE(fixture, "one whose behaviour function throws ends, and whoever watches it learns why") {
  for (const auto& what : all_kinds) {
    company people;
    listener_role role;
    people.introduce(role, moody, "listener moody", values_of(moods(), {{"where", "start"}, {"what", what}}));
    caf::scoped_actor watch{people.system()};
    const auto actor = moody.spawn(people.system(), role);
    watch->monitor(actor);
    people.run();
    failure why;
    watch->receive([&](const caf::down_msg& down) { why = to_failure(down.reason); });
    CHECK(why.code == ec::actor_died);
    CHECK(why.context.find("listener moody") != std::string::npos);
  }
}

TEST_SUITE_END();
