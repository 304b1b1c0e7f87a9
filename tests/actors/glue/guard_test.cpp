#include "actors/glue/guard.hpp"

#include <caf/event_based_actor.hpp>
#include <caf/sec.hpp>

#include <stdexcept>
#include <string>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

caf::behavior thrower(caf::event_based_actor* self) {
  report_exceptions(self, "augmenter#2");
  return {[](int kind) {
    if (kind == 1)
      throw std::runtime_error("cannot decode img_17.png");
    throw kind;
  }};
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("whoever asked an actor that throws gets an error that names actor and cause") {
  deterministic_system actors;
  const auto result = actors.ask<int>(actors.spawn(thrower), 1);
  REQUIRE_FALSE(result);
  const auto why = to_failure(result.error());
  CHECK(why.code == ec::actor_died);
  CHECK(why.context == "augmenter#2: cannot decode img_17.png");
}

TEST_CASE("an exception that is no std::exception has a text too") {
  deterministic_system actors;
  const auto result = actors.ask<int>(actors.spawn(thrower), 2);
  REQUIRE_FALSE(result);
  CHECK(to_failure(result.error()).context == "augmenter#2: an exception that is no std::exception");
}

TEST_CASE("whoever monitors an actor that throws gets the same error") {
  deterministic_system actors;
  const auto child = actors.spawn(thrower);
  failure seen;
  actors.spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->monitor(child);
    self->set_down_handler([&](const caf::down_msg& down) { seen = to_failure(down.reason); });
    return {[](int) {}};
  });
  actors.run();
  caf::anon_send(child, 1);
  actors.run();
  CHECK(seen.context == "augmenter#2: cannot decode img_17.png");
}

TEST_CASE("a failure survives the way through a CAF error") {
  const auto back = to_failure(to_error({ec::corrupt, "manifest.json: checksum"}));
  CHECK(back.code == ec::corrupt);
  CHECK(back.context == "manifest.json: checksum");
}

TEST_CASE("an error that is not ours becomes actor_died with CAF's rendering, no error becomes none") {
  const auto foreign = to_failure(caf::make_error(caf::sec::request_timeout));
  CHECK(foreign.code == ec::actor_died);
  CHECK(foreign.context.find("request_timeout") != std::string::npos);
  CHECK(to_failure(caf::error{}).code == ec::none);
}

TEST_CASE("an actor system that knows the category renders our errors by their text") {
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("testing"));
  add_error_category(config);
  caf::actor_system system{config};
  CHECK(system.render(to_error({ec::io_error, "saver: disk full"})) == "saver: disk full");
}

TEST_SUITE_END();
