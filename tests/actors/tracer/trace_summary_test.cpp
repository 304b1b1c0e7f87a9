#include "actors/tracer/trace_summary.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <filesystem>
#include <memory>
#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <sys/wait.h>
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
  int ready[2] = {};
  REQUIRE(pipe(ready) == 0);
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto recorder =
      trace_recorder::start({.folder = folder, .policy = ring_policy::keep_all, .num_rings = 2, .ring_capacity = 1024});
    if (!recorder)
      _exit(1);
    trace_drain drain{**recorder, folder};
    record(**recorder, "augmenter#0", "chunk_ready", 10);
    drain.drain();
    drain.tally((*recorder)->map().header().monotonic_ns + 5 * ms);
    record(**recorder, "trainer", "batch_ready", 3);
    (void)!write(ready[1], "x", 1);
    while (true)
      pause();
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  close(ready[0]);
  close(ready[1]);
}

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("a finished run is summed up by actor and message type") {
  const scratch_folder folder;
  finished_run(folder.path(), 40);
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  REQUIRE(summary->rows.size() == 1);
  const auto& row = summary->rows[0];
  CHECK(row.actor == "augmenter#0");
  CHECK(row.message_type == "chunk_ready");
  CHECK(row.stats.count() == 40);
  CHECK(row.stats.wait.max_ns == 2 * ms);
  CHECK(row.stats.handling.sum_ns == 40 * ms);
  CHECK(summary->seconds == doctest::Approx(0.1));
  CHECK(summary->recorded == 40);
  CHECK(summary->dropped == 0);
  REQUIRE(summary->processes.size() == 1);
  CHECK(summary->processes[0].state == process_state::finished);
  CHECK(summary->processes[0].pid == static_cast<std::uint64_t>(getpid()));
}

TEST_CASE("a run that still goes on is summed up from its rings") {
  const scratch_folder folder;
  const auto recorder = start(folder.path());
  const trace_drain drain{*recorder, folder.path()};
  record(*recorder, "loader", "next", 5);
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  REQUIRE(summary->rows.size() == 1);
  CHECK(summary->rows[0].actor == "loader");
  CHECK(summary->rows[0].stats.count() == 5);
  CHECK(summary->processes[0].state == process_state::running);
  CHECK(summary->processes[0].seconds == doctest::Approx(0.003));
}

TEST_CASE("a killed run is summed up to its last message") {
  const scratch_folder folder;
  killed_run(folder.path());
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  CHECK(summary->processes[0].state == process_state::died);
  REQUIRE(summary->rows.size() == 2);
  CHECK(summary->rows[0].stats.count() == 10);
  CHECK(summary->rows[1].actor == "trainer");
  CHECK(summary->rows[1].stats.count() == 3);
  CHECK(summary->recorded == 13);
}

TEST_CASE("a killed run without its rings is summed up to its last tally") {
  const scratch_folder folder;
  killed_run(folder.path());
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
    if (entry.path().extension() == ".bin")
      std::filesystem::remove(entry.path());
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  REQUIRE(summary->rows.size() == 1);
  CHECK(summary->rows[0].stats.count() == 10);
  CHECK(summary->recorded == 10);
}

TEST_CASE("the processes of a run add up, in the order of their starts") {
  const scratch_folder folder;
  killed_run(folder.path());
  finished_run(folder.path(), 7);
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  REQUIRE(summary->processes.size() == 2);
  CHECK(summary->processes[0].state == process_state::died);
  CHECK(summary->processes[1].state == process_state::finished);
  CHECK(summary->rows[0].stats.count() == 17);
  CHECK(summary->recorded == 20);
}

TEST_CASE("a folder without a trace, or none at all, is not_found; an unreadable trace is corrupt") {
  const scratch_folder folder;
  put_file(folder / "notes.txt", "hello");
  CHECK(summarize_trace(folder.path()).error().code == ec::not_found);
  CHECK(summarize_trace(folder / "missing").error().code == ec::not_found);
  put_file(folder / "run-12.trc", "not a trace");
  const auto summary = summarize_trace(folder.path());
  REQUIRE_FALSE(summary);
  CHECK(summary.error().code == ec::corrupt);
  CHECK(summary.error().context.find("run-12.trc") != std::string::npos);
}

TEST_CASE("an unreadable file among good ones is told of and left out") {
  const scratch_folder folder;
  finished_run(folder.path(), 7);
  put_file(folder / "run-12.trc", "not a trace");
  const auto summary = summarize_trace(folder.path());
  REQUIRE(summary);
  CHECK(summary->rows[0].stats.count() == 7);
  REQUIRE(summary->problems.size() == 1);
  CHECK(summary->problems[0].find("run-12.trc") != std::string::npos);
}

TEST_CASE("the text has a row per pair and ends with what was recorded and dropped") {
  const scratch_folder folder;
  finished_run(folder.path(), 40);
  std::ostringstream out;
  print_text(*summarize_trace(folder.path()), out);
  const auto text = out.str();
  CHECK(text.find("augmenter#0  chunk_ready     40") != std::string::npos);
  CHECK(text.find("2.0 ms") != std::string::npos);
  CHECK(text.find("40.0 %") != std::string::npos);
  CHECK(text.ends_with("recorded 40, dropped 0\n"));
}

TEST_CASE("the JSON holds the same numbers in nanoseconds, and names of any bytes") {
  trace_summary summary{.processes = {},
                        .rows = {{"a\"b\xff", "chunk\n", {}}},
                        .seconds = 2,
                        .recorded = 3,
                        .dropped = 1,
                        .problems = {"odd"}};
  summary.rows[0].stats.outcomes[0] = 3;
  summary.rows[0].stats.handling.add(1'000'000'000);
  std::ostringstream out;
  print_json(summary, out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["recorded"] == 3);
  CHECK(json["dropped"] == 1);
  CHECK(json["problems"][0] == "odd");
  const auto& row = json["rows"][0];
  CHECK(row["type"] == "chunk\n");
  CHECK(row["count"] == 3);
  CHECK(row["handled"] == 3);
  CHECK(row["handling_ns"]["max"] == 1'000'000'000);
  CHECK(row["busy"] == doctest::Approx(0.5));
}

TEST_SUITE_END();
