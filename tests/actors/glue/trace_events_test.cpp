#include "actors/glue/trace_events.hpp"

#include "actors/glue/trace_recorder.hpp"
#include "tests/support/trace_fixture.hpp"

#include <chrono>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace std::chrono_literals;

namespace {

/// The calling thread is in the middle of message 7 of the augmenter.
class handling_seven {
public:
  explicit handling_seven(trace_recorder& recorder) : actor_(recorder.map().actor(place_of(recorder))) {
    actor_.rename(recorder.map().strings().intern("augmenter#0"));
    actor_.begin({7, 100, recorder.map().strings().intern("chunk_ready"), {.sample = 4, .batch = 2}});
    before_ = exchange_current_message({7, 3, actor_id, actor_.name(), place_});
  }
  handling_seven(const handling_seven&) = delete;
  handling_seven& operator=(const handling_seven&) = delete;
  ~handling_seven() { exchange_current_message(before_); }

private:
  static constexpr std::uint64_t actor_id = 42;
  std::size_t place_of(trace_recorder& recorder) { return place_ = recorder.claim_actor(actor_id); }

  std::size_t place_ = 0;
  traced_actor actor_;
  trace_context before_;
};

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("a span has the times that it was given, the actor, and the message in hand") {
  test::memory_recorder memory;
  const handling_seven scope{memory.recorder()};
  const std::chrono::steady_clock::time_point from{5s};
  trace_span("waits for batch", from, from + 3ms, {.batch = 9});
  const auto spans = memory.records(trace_kind::span);
  REQUIRE(spans.size() == 1);
  CHECK(memory.text(spans[0].name) == "waits for batch");
  CHECK(memory.text(spans[0].receiver) == "augmenter#0");
  CHECK(spans[0].message == 7);
  CHECK(spans[0].root == 3);
  CHECK(spans[0].batch == 9);
  CHECK(spans[0].enqueued_ns == 5'000'000'000);
  CHECK(spans[0].ended_ns - spans[0].dequeued_ns == 3'000'000);
}

TEST_CASE("a value comes back as it was, whatever it is") {
  test::memory_recorder memory;
  const std::vector<double> values = {0.0, -1.5, 1e300, std::numeric_limits<double>::infinity()};
  for (auto value : values)
    trace_value("loss", value, {.step = 3});
  const auto records = memory.records(trace_kind::value);
  REQUIRE(records.size() == values.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    CHECK(recorded_value(records[i]) == values[i]);
    CHECK(records[i].step == 3);
  }
}

TEST_CASE("a sample's record says what it became, in which message") {
  test::memory_recorder memory;
  const handling_seven scope{memory.recorder()};
  const recorded_sample sample{.sample = 81'723,
                               .batch = 512,
                               .epoch = 2,
                               .slot = 31,
                               .pixel_hash = 0xfeed,
                               .bytes = 1000,
                               .begun_ns = 50,
                               .ended_ns = 70,
                               .bad = true};
  trace_sample(sample);
  const auto records = memory.records(trace_kind::sample);
  REQUIRE(records.size() == 1);
  CHECK(records[0].message == 7);
  CHECK(to_sample(records[0]) == sample);
}

TEST_CASE("a watchdog sees which sample of its message an actor is at") {
  test::memory_recorder memory;
  const handling_seven scope{memory.recorder()};
  trace_progress(1234);
  const auto busy = in_progress();
  REQUIRE(busy.size() == 1);
  CHECK(busy[0].ids.sample == 1234);
  CHECK(busy[0].ids.batch == 2);
  CHECK(busy[0].message == 7);
  CHECK(busy[0].since_ns == 100);
}

TEST_CASE("without a recorder all of them do nothing") {
  trace_span("waits", {}, {});
  trace_value("loss", 1);
  trace_sample({});
  trace_progress(1);
  trace_mark("mark");
  CHECK(trace_recorder::active() == nullptr);
}

TEST_SUITE_END();
