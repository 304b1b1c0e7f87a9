#include "tests/app/trace_tools/export/trace_builder.hpp"

#include <bit>
#include <limits>
#include <map>
#include <nlohmann/json.hpp>
#include <regex>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using nlohmann::json;

namespace {

json events_of(const recorded_trace& trace, const std::string& phase) {
  json found = json::array();
  for (const auto& event : json::parse(export_text(trace, {}).text))
    if (event["ph"] == phase)
      found.push_back(event);
  return found;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/export");

TEST_CASE("a message is a slice with its ids, an asynchronous wait, and steps of its mailbox's counter") {
  trace_builder builder;
  auto message = builder.message(5, "chunk_ready", "loader", "augmenter#0", 10 * us, 3 * us + 100, 5 * us + 500);
  message.sample = 7;
  message.batch = 2;
  message.bytes = 812;
  builder.put(message);
  // Numbers of names are drawn by their bytes.
  auto text =
    std::regex_replace(export_text(builder.finish(100 * us), {}).text, std::regex{"\"tid\":\\d+"}, "\"tid\":3");
  text = std::regex_replace(text, std::regex{"\"id\":\"0x\\w+\""}, "\"id\":\"0x2a\"");
  text = std::regex_replace(text, std::regex{"\"sort_index\":\\d+"}, "\"sort_index\":2");
  CHECK(text == R"([{"ph":"M","name":"process_name","pid":1,"args":{"name":"troupe 7 on box"}},
{"ph":"M","name":"thread_name","pid":1,"tid":3,"args":{"name":"augmenter#0"}},
{"ph":"M","name":"thread_sort_index","pid":1,"tid":3,"args":{"sort_index":2}},
{"ph":"b","cat":"queue","pid":1,"tid":3,"ts":10.000,"id":"0x2a","name":"chunk_ready","args":{"message":5}},
{"ph":"e","cat":"queue","pid":1,"tid":3,"ts":13.100,"id":"0x2a","name":"chunk_ready"},
{"ph":"C","cat":"depth","pid":1,"tid":3,"ts":10.000,"name":"augmenter#0: mailbox","args":{"messages":1}},
{"ph":"X","cat":"message","pid":1,"tid":3,"ts":13.100,"dur":5.500,"name":"chunk_ready","args":{"message":5,"from":"loader","sample":7,"batch":2,"bytes":812,"wait_us":3.100}},
{"ph":"C","cat":"depth","pid":1,"tid":3,"ts":13.100,"name":"augmenter#0: mailbox","args":{"messages":0}}
]
)");
}

TEST_CASE("arrows lead from the message being handled to what it caused, and from the parts of a batch") {
  trace_builder builder;
  builder.put(builder.message(1, "slice_filled", "augmenter#0", "collator", 10 * us, 1 * us, 2 * us));
  builder.put(builder.message(2, "slice_filled", "augmenter#1", "collator", 12 * us, 1 * us, 4 * us));
  builder.put(builder.message(3, "batch_ready", "collator", "trainer", 15 * us, 1 * us, 2 * us, 2));
  builder.put(builder.message(4, "snapshot", "trainer", "saver", 17 * us, 1 * us, 2 * us, 999));
  for (const std::uint64_t parent : {1, 2}) {
    auto link = builder.event(trace_kind::link, "", "collator", 16 * us);
    link.message = 2;
    link.cause = parent;
    builder.put(link);
  }
  const auto trace = builder.finish(100 * us);
  const auto starts = events_of(trace, "s");
  const auto ends = events_of(trace, "f");
  REQUIRE(starts.size() == 2);
  REQUIRE(ends.size() == 2);
  std::map<std::string, json> end_of;
  for (const auto& end : ends) {
    CHECK(end["bp"] == "e");
    end_of[end["id"]] = end;
  }
  CHECK(starts[0]["ts"] == 11.0); // What the batch was made of; the message itself is none of its parents.
  CHECK(end_of.at(starts[0]["id"])["ts"] == 13.0);
  CHECK(starts[1]["id"] == "0x3");
  CHECK(starts[1]["ts"] == 13.0);
  CHECK(end_of.at("0x3")["ts"] == 16.0);
}

TEST_CASE("an arrow starts inside of its slice, however the clock was read") {
  trace_builder builder;
  builder.put(builder.message(1, "a", "x", "y", 10 * us, 0, 0)); // No time at all.
  builder.put(builder.message(2, "b", "y", "z", 10 * us, 1 * us, 1 * us, 1));
  const auto trace = builder.finish(100 * us);
  CHECK(events_of(trace, "X")[0]["dur"] == 0.001);
  CHECK(events_of(trace, "s")[0]["ts"] == 10.0);
}

TEST_CASE("samples lie in the slice of their message; spans have a line of their own") {
  trace_builder builder;
  builder.put(builder.message(1, "chunk_ready", "loader", "augmenter#0", 10 * us, 1 * us, 20 * us));
  auto sample = to_record({.sample = 3,
                           .batch = 1,
                           .epoch = 2,
                           .slot = 4,
                           .pixel_hash = 255,
                           .bytes = 9,
                           .begun_ns = 12 * us,
                           .ended_ns = 14 * us,
                           .bad = true});
  sample.message = 1;
  sample.receiver = builder.name("augmenter#0");
  sample.name = builder.name("sample");
  builder.put(sample);
  auto span = builder.event(trace_kind::span, "waits for batch", "augmenter#0", 5 * us);
  span.dequeued_ns = 5 * us;
  span.ended_ns = 15 * us; // Ends within the message.
  builder.put(span);
  const auto trace = builder.finish(100 * us);
  const auto slices = events_of(trace, "X");
  REQUIRE(slices.size() == 2);
  CHECK(slices[0]["tid"] == slices[1]["tid"]);
  CHECK(slices[1]["args"]
        == json{{"message", 1},
                {"sample", 3},
                {"batch", 1},
                {"bytes", 9},
                {"outcome", "threw"},
                {"epoch", 2},
                {"slot", 4},
                {"pixel_hash", "0x00000000000000ff"}});
  const auto begins = events_of(trace, "b");
  REQUIRE(begins.size() == 2);
  CHECK(begins[0]["name"] == "waits for batch");
  CHECK(begins[0]["cat"] == "span");
}

TEST_CASE("waits that overlap have different ids, waits that do not share one") {
  trace_builder builder;
  builder.put(builder.message(1, "m", "x", "y", 10 * us, 10 * us, us));
  builder.put(builder.message(2, "m", "x", "y", 12 * us, 12 * us, us));
  builder.put(builder.message(3, "m", "x", "y", 30 * us, 1 * us, us));
  const auto begins = events_of(builder.finish(100 * us), "b");
  REQUIRE(begins.size() == 3);
  CHECK(begins[0]["id"] != begins[1]["id"]);
  CHECK(begins[0]["id"] == begins[2]["id"]);
}

TEST_CASE("marks, ends of actors and unhandled messages are instants; numbers are counters unless JSON has none") {
  trace_builder builder;
  auto mark = builder.event(trace_kind::mark, "checkpoint durable", "saver", 10 * us);
  mark.step = 12;
  builder.put(mark);
  auto loss = builder.event(trace_kind::value, "loss", "trainer", 11 * us);
  loss.cause = std::bit_cast<std::uint64_t>(0.25);
  builder.put(loss);
  loss.enqueued_ns = 12 * us;
  loss.cause = std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN());
  builder.put(loss);
  auto lost = builder.message(9, "snapshot", "trainer", "saver", 13 * us, 0, 0);
  lost.dequeued_ns = lost.ended_ns = 0;
  lost.outcome = trace_outcome::never_handled;
  builder.put(lost);
  builder.put(builder.event(trace_kind::exit, "normal", "saver", 15 * us));
  const auto trace = builder.finish(100 * us);
  const auto instants = events_of(trace, "i");
  REQUIRE(instants.size() == 4);
  CHECK(instants[0]["name"] == "checkpoint durable");
  CHECK(instants[0]["args"]["step"] == 12);
  CHECK(instants[1]["name"] == "loss is NaN");
  CHECK(instants[2]["name"] == "snapshot (never_handled)");
  CHECK(instants[3]["name"] == "ends: normal");
  const auto counters = events_of(trace, "C");
  REQUIRE(counters.size() == 3);
  CHECK(counters[0]["name"] == "trainer: loss");
  CHECK(counters[0]["args"]["value"] == 0.25);
  CHECK(counters[1]["args"]["messages"] == 1); // It waited from when it was sent
  CHECK(counters[2]["ts"] == 15.0);            // to the actor's end.
}

TEST_CASE("two processes of a run are two processes on one clock") {
  trace_builder first;
  first.put(first.message(1, "m", "x", "y", 10 * us, 0, us));
  auto trace = first.finish(100 * us);
  trace_builder second;
  second.put(second.message(1, "m", "x", "y", 10 * us, 0, us));
  trace.processes.push_back(second.finish(100 * us).processes.front());
  trace.processes[1].realtime_ns = trace.processes[0].realtime_ns + 1000 * us;
  const auto slices = events_of(trace, "X");
  REQUIRE(slices.size() == 2);
  CHECK(slices[0]["pid"] == 1);
  CHECK(slices[0]["ts"] == 10.0);
  CHECK(slices[1]["pid"] == 2);
  CHECK(slices[1]["ts"] == 1010.0);
}

TEST_SUITE_END();
