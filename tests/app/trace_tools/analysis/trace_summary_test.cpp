#include "app/trace_tools/analysis/trace_summary.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "tests/support/killed_process.hpp"
#include "tests/support/made_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr std::int64_t ms = 1'000'000;

/// `count` messages that waited 2 ms and were handled in 1 ms.
void record(trace_recorder& recorder, const std::string& actor, const std::string& type, int count) {
  for (int i = 0; i < count; ++i) {
    const auto start = recorder.map().header().monotonic_ns;
    recorder.put({.message = recorder.next_message_id(),
                  .enqueued_ns = start,
                  .dequeued_ns = start + 2 * ms,
                  .ended_ns = start + 3 * ms,
                  .bytes = 10,
                  .receiver = recorder.map().strings().intern(actor),
                  .name = recorder.map().strings().intern(type)});
  }
}

std::unique_ptr<trace_recorder> start(const std::string& folder) {
  auto recorder =
    trace_recorder::start({.folder = folder, .policy = ring_policy::keep_all, .num_rings = 2, .ring_capacity = 1024});
  REQUIRE(recorder);
  return std::move(*recorder);
}

/// A process that ran for 100 ms and ended in order.
void finished_run(const std::string& folder, int count) {
  const auto recorder = start(folder);
  trace_drain drain{*recorder, folder};
  record(*recorder, "augmenter#0", "chunk_ready", count);
  drain.finish(recorder->map().header().monotonic_ns + 100 * ms);
}

/// A process that is killed with its last records undrained.
void killed_run(const std::string& folder) {
  test::run_and_kill([&] {
    auto recorder =
      trace_recorder::start({.folder = folder, .policy = ring_policy::keep_all, .num_rings = 2, .ring_capacity = 1024});
    if (!recorder)
      _exit(1);
    trace_drain drain{**recorder, folder};
    record(**recorder, "augmenter#0", "chunk_ready", 10);
    drain.drain();
    drain.tally((*recorder)->map().header().monotonic_ns + 5 * ms);
    record(**recorder, "trainer", "batch_ready", 3);
    test::kill_me();
  });
}

recorded_trace opened(const std::string& folder) {
  auto trace = open_trace(folder);
  REQUIRE(trace);
  return std::move(*trace);
}

std::string text_of(const trace_summary& summary) {
  std::ostringstream out;
  print_text(summary, out);
  return out.str();
}

/// Messages of two senders, one event of each kind, a part that went with old files, and a process that died.
recorded_trace all_kinds() {
  test::made_process made{10};
  made.add(trace_kind::message, "loader", "next", 30, 1, 9, 0.1, "reader#0");
  made.add(trace_kind::message, "loader", "next", 10, 1, 9, 0.1, "augmenter#0");
  made.span("trainer", "waits for batch", 1, 9);
  made.marks("saver", "checkpoint durable", 3);
  made.add(trace_kind::value, "trainer", "loss", 20, 1, 9);
  made.add(trace_kind::sample, "augmenter#0", "sample", 40, 1, 9, 0.01);
  made.process().actors = {{made.name("loader"), 7, {}}};
  made.process().state = process_state::died;
  made.process().recorded = 104;
  made.process().cut = 6;
  return made.trace();
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("a finished run is summed up by actor and message type") {
  const scratch_folder folder;
  finished_run(folder.path(), 40);
  const auto trace = opened(folder.path());
  const auto summary = summarize(trace);
  REQUIRE(summary.rows.size() == 1);
  const auto& row = summary.rows[0];
  CHECK(row.actor == "augmenter#0");
  CHECK(row.message_type == "chunk_ready");
  CHECK(row.stats.count() == 40);
  CHECK(row.stats.wait.max_ns == 2 * ms);
  CHECK(row.stats.handling.sum_ns == 40 * ms);
  CHECK(summary.seconds == doctest::Approx(0.1));
  REQUIRE(trace.processes.size() == 1);
  CHECK(trace.processes[0].state == process_state::finished);
  CHECK(trace.processes[0].pid == static_cast<std::uint64_t>(getpid()));
}

TEST_CASE("a run that still goes on is summed up from its rings") {
  const scratch_folder folder;
  const auto recorder = start(folder.path());
  const trace_drain drain{*recorder, folder.path()};
  record(*recorder, "loader", "next", 5);
  const auto trace = opened(folder.path());
  const auto summary = summarize(trace);
  REQUIRE(summary.rows.size() == 1);
  CHECK(summary.rows[0].actor == "loader");
  CHECK(summary.rows[0].stats.count() == 5);
  CHECK(trace.processes[0].state == process_state::running);
}

TEST_CASE("a killed run is summed up to its last message") {
  const scratch_folder folder;
  killed_run(folder.path());
  const auto trace = opened(folder.path());
  const auto summary = summarize(trace);
  CHECK(trace.processes[0].state == process_state::died);
  REQUIRE(summary.rows.size() == 2);
  CHECK(summary.rows[0].stats.count() == 10);
  CHECK(summary.rows[1].actor == "trainer");
  CHECK(summary.rows[1].stats.count() == 3);
  CHECK(trace.recorded() == 13);
}

TEST_CASE("a killed run without its rings is summed up to its last tally") {
  const scratch_folder folder;
  killed_run(folder.path());
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
    if (entry.path().extension() == ".bin")
      std::filesystem::remove(entry.path());
  const auto trace = opened(folder.path());
  const auto summary = summarize(trace);
  REQUIRE(summary.rows.size() == 1);
  CHECK(summary.rows[0].stats.count() == 10);
}

TEST_CASE("the processes of a run add up") {
  const scratch_folder folder;
  killed_run(folder.path());
  finished_run(folder.path(), 7);
  const auto trace = opened(folder.path());
  REQUIRE(trace.processes.size() == 2);
  CHECK(summarize(trace).rows[0].stats.count() == 17);
}

TEST_CASE("events are not messages, and do not make their actors busy") {
  const auto trace = all_kinds();
  const auto summary = summarize(trace);
  CHECK(summary.rows.size() == 5);
  for (const auto& load : summary.actors) {
    if (load.actor == "loader") {
      CHECK(load.busy == doctest::Approx(0.4));
      CHECK(load.mailbox_depth == 7);
    } else {
      CHECK(load.busy == 0);
    }
  }
}

TEST_CASE("by edge there is a row for each sender") {
  const auto trace = all_kinds();
  const auto summary = summarize(trace, summary_by::edge);
  REQUIRE(summary.rows.size() == 6);
  CHECK(summary.rows[0].sender == "augmenter#0");
  CHECK(summary.rows[0].stats.count() == 10);
  CHECK(summary.rows[1].sender == "reader#0");
  const auto text = text_of(summary);
  CHECK(text.starts_with("sender"));
  CHECK(text.find("reader#0     loader    next") != std::string::npos);
}

TEST_CASE("the text has a row per pair and ends with what was recorded and dropped") {
  const scratch_folder folder;
  finished_run(folder.path(), 40);
  const auto trace = opened(folder.path());
  const auto text = text_of(summarize(trace));
  CHECK(text.find("augmenter#0  chunk_ready     40") != std::string::npos);
  CHECK(text.find("2.0 ms") != std::string::npos);
  CHECK(text.find("40.0 %") != std::string::npos);
  CHECK(text.find("mailbox") == std::string::npos);
  CHECK(text.find("span") == std::string::npos);
  CHECK(text.ends_with("recorded 40, dropped 0\n"));
}

TEST_CASE("the text has a section for each kind of event, mailboxes of the dead, and what was cut") {
  const auto trace = all_kinds();
  const auto text = text_of(summarize(trace));
  CHECK(text.find("trainer  waits for batch      1") != std::string::npos);
  CHECK(text.find("saver  checkpoint durable      3") != std::string::npos);
  CHECK(text.find("trainer  loss      20") != std::string::npos);
  CHECK(text.find("augmenter#0  sample     40") != std::string::npos);
  CHECK(text.find("mailbox") != std::string::npos);
  CHECK(text.ends_with("recorded 104, dropped 0, cut 6\n"));
}

TEST_CASE("the JSON holds the same numbers in nanoseconds, and names of any bytes") {
  auto trace = all_kinds();
  trace.problems = {"odd"};
  trace.processes[0].dropped = 1;
  trace.processes[0].names[1] = "a\"b\xff";
  std::ostringstream out;
  print_json(summarize(trace), out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["recorded"] == 104);
  CHECK(json["dropped"] == 1);
  CHECK(json["cut"] == 6);
  CHECK(json["problems"][0] == "odd");
  REQUIRE(json["rows"].size() == 1);
  const auto& row = json["rows"][0];
  CHECK(row["type"] == "next");
  CHECK(row["count"] == 40);
  CHECK(row["handled"] == 40);
  CHECK(row["handling_ns"]["max"] == 100 * ms);
  CHECK(row["busy"] == doctest::Approx(0.4));
  for (const auto* section : {"spans", "marks", "values", "samples"})
    CHECK(json[section].size() == 1);
}

TEST_SUITE_END();
