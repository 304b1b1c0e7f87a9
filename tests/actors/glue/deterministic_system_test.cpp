#include <caf/event_based_actor.hpp>

#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe::test;
using namespace std::chrono_literals;

TEST_SUITE_BEGIN("tests/support");

TEST_CASE("nothing happens before run, and messages come in the order of their sending") {
  deterministic_system actors;
  std::vector<int> seen;
  const auto sink =
    actors.spawn([&](caf::event_based_actor*) -> caf::behavior { return {[&](int x) { seen.push_back(x); }}; });
  caf::anon_send(sink, 1);
  caf::anon_send(sink, 2);
  CHECK(seen.empty());
  actors.run();
  CHECK(seen == std::vector<int>{1, 2});
}

TEST_CASE("time stands still unless it is advanced, and a timer that re-arms fires every time that it is due") {
  deterministic_system actors;
  int ticks = 0;
  actors.spawn([&](caf::event_based_actor* self) -> caf::behavior {
    self->delayed_send(self, 1s, 0);
    return {[&, self](int) {
      ++ticks;
      self->delayed_send(self, 1s, 0);
    }};
  });
  actors.run();
  CHECK(ticks == 0);
  actors.advance(3500ms);
  CHECK(ticks == 3);
  actors.advance(500ms);
  CHECK(ticks == 4);
}

TEST_CASE("a shuffled run is decided by its seed and finds other orders") {
  const auto order = [](std::uint64_t seed) {
    deterministic_system actors;
    std::string seen;
    for (char name : {'a', 'b', 'c', 'd'}) {
      const auto each =
        actors.spawn([&seen](caf::event_based_actor*) -> caf::behavior { return {[&seen](char x) { seen += x; }}; });
      caf::anon_send(each, name);
      caf::anon_send(each, static_cast<char>(name - 'a' + 'A'));
    }
    actors.run_shuffled(seed);
    return seen;
  };
  bool differ = false;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto first = order(seed);
    CHECK(first == order(seed));
    CHECK(first.size() == 8);
    for (char name : {'a', 'b', 'c', 'd'})
      CHECK(first.find(name) < first.find(static_cast<char>(name - 'a' + 'A')));
    differ = differ || first != order(seed + 1);
  }
  CHECK(differ);
}

TEST_CASE("ask gives the response, the error, or an error if nobody answers") {
  deterministic_system actors;
  const auto doubler = actors.spawn([](caf::event_based_actor* self) -> caf::behavior {
    return {[](int x) -> caf::result<int> {
              if (x < 0)
                return caf::sec::invalid_argument;
              return 2 * x;
            },
            [self](double) { return self->make_response_promise(); }, [](bool) {}};
  });
  const auto response = actors.ask<int>(doubler, 21);
  REQUIRE(response);
  CHECK(*response == 42);
  CHECK(actors.ask<int>(doubler, -1).error() == caf::sec::invalid_argument);
  CHECK(actors.ask<int>(doubler, 1.5).error() == caf::sec::request_timeout);
  CHECK(actors.ask(doubler, true));
}

TEST_CASE("an endless ping-pong is reported, not waited for") {
  deterministic_system actors;
  actors.spawn([](caf::event_based_actor* self) -> caf::behavior {
    self->send(self, 0);
    return {[self](int x) {
      if (x < 1'100'000)
        self->send(self, x + 1);
    }};
  });
  CHECK_THROWS_AS(actors.run(), std::runtime_error);
}

TEST_SUITE_END();
