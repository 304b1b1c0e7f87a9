#include "actors/glue/trace_recorder.hpp"

#include "tests/support/trace_fixture.hpp"

#include <future>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("a process has one recorder at a time") {
  const memory_recorder first;
  const auto second = trace_recorder::start({});
  REQUIRE_FALSE(second);
  CHECK(second.error().context.find("already") != std::string::npos);
}

TEST_CASE("message ids are unique over threads") {
  memory_recorder trace;
  std::mutex mutex;
  std::set<std::uint64_t> ids;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i)
    threads.emplace_back([&] {
      std::vector<std::uint64_t> mine;
      for (int j = 0; j < 1000; ++j)
        mine.push_back(trace.recorder().next_message_id());
      const std::lock_guard lock{mutex};
      ids.insert(mine.begin(), mine.end());
    });
  for (auto& each : threads)
    each.join();
  CHECK(ids.size() == 4000);
  CHECK_FALSE(ids.contains(0));
}

TEST_CASE("two recorders draw different nonces") {
  const auto nonce = [] { return memory_recorder{}.recorder().map().header().nonce; };
  CHECK(nonce() != nonce());
}

TEST_CASE("records of a thread that finds no free ring are counted as dropped") {
  memory_recorder trace{ring_policy::keep_newest, 64, 1};
  trace.recorder().put({.message = 1});
  std::thread{[&] {
    trace.recorder().put({.message = 2});
    trace.recorder().put({.message = 3});
  }}.join();
  CHECK(trace.recorder().totals().recorded == 1);
  CHECK(trace.recorder().totals().dropped == 2);
}

TEST_CASE("a thread that ends leaves its ring to the next") {
  memory_recorder trace{ring_policy::keep_all, 64, 1};
  for (std::uint64_t i = 1; i <= 5; ++i)
    std::thread{[&] { trace.recorder().put({.message = i}); }}.join();
  CHECK(trace.recorder().totals().recorded == 5);
  CHECK(trace.recorder().totals().dropped == 0);
  CHECK(trace.records().size() == 5);
}

TEST_CASE("a thread may outlive the recorder") {
  std::promise<void> recorded;
  std::promise<void> recorder_gone;
  std::thread late;
  {
    memory_recorder trace;
    late = std::thread{[&recorded, &recorder_gone, &recorder = trace.recorder()] {
      recorder.put({.message = 1});
      recorded.set_value();
      recorder_gone.get_future().wait();
    }};
    recorded.get_future().wait();
  }
  recorder_gone.set_value();
  late.join(); // Gives its ring back, in memory that must still be there.
  CHECK(trace_recorder::active() == nullptr);
}

TEST_CASE("more actors than there are places are traced together under place 0") {
  memory_recorder trace;
  std::set<std::size_t> places;
  for (std::uint64_t actor = 1; actor < max_traced_actors; ++actor)
    places.insert(trace.recorder().claim_actor(actor));
  CHECK(places.size() == max_traced_actors - 1);
  CHECK_FALSE(places.contains(0));
  CHECK(trace.recorder().claim_actor(5000) == 0);
  trace.recorder().map().actor(17).release();
  CHECK(trace.recorder().claim_actor(5001) == 17);
}

TEST_CASE("the name of an actor is found by its CAF id as long as it lives") {
  memory_recorder trace;
  auto& recorder = trace.recorder();
  const auto place = recorder.claim_actor(99);
  CHECK(recorder.name_of(99) == 0);
  recorder.map().actor(place).rename(recorder.map().strings().intern("saver"));
  CHECK(trace.text(recorder.name_of(99)) == "saver");
  CHECK(recorder.name_of(98) == 0);
  recorder.map().actor(place).release();
  CHECK(recorder.name_of(99) == 0);
}

TEST_SUITE_END();
