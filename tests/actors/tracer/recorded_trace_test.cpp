#include "actors/tracer/recorded_trace.hpp"

#include "actors/tracer/trace_drain.hpp"
#include "tests/support/killed_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <functional>
#include <memory>
#include <string>
#include <sys/resource.h>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::unique_ptr<trace_recorder> start(const std::string& folder, ring_policy policy, std::size_t capacity = 1024) {
  auto recorder =
    trace_recorder::start({.folder = folder, .policy = policy, .num_rings = 2, .ring_capacity = capacity});
  REQUIRE(recorder);
  return std::move(*recorder);
}

void record(trace_recorder& recorder, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    recorder.put({.message = first + i,
                  .enqueued_ns = recorder.map().header().monotonic_ns + 10,
                  .dequeued_ns = recorder.map().header().monotonic_ns + 20,
                  .ended_ns = recorder.map().header().monotonic_ns + 30,
                  .receiver = recorder.map().strings().intern("loader"),
                  .name = recorder.map().strings().intern("next")});
}

std::vector<std::uint64_t> messages_of(const recorded_process& process) {
  std::vector<std::uint64_t> messages;
  visit_records(process, [&](const trace_record& record) {
    CHECK(process.name(record.receiver) == "loader");
    messages.push_back(record.message);
  });
  return messages;
}

std::vector<std::uint64_t> numbers(std::uint64_t first, std::uint64_t count) {
  std::vector<std::uint64_t> out(count);
  for (std::uint64_t i = 0; i < count; ++i)
    out[i] = first + i;
  return out;
}

rlimit current_file_size_limit() {
  rlimit limit{};
  REQUIRE(getrlimit(RLIMIT_FSIZE, &limit) == 0);
  return limit;
}

/// A process that does `work` and dies.
void die_after(const std::string& folder, const std::function<void(trace_recorder&)>& work,
               ring_policy policy = ring_policy::keep_all) {
  test::run_and_kill([&] {
    auto recorder = trace_recorder::start({.folder = folder, .policy = policy, .num_rings = 2, .ring_capacity = 1024});
    work(**recorder);
    test::kill_me();
  });
}

std::uint64_t count_in(const stats_map& stats) {
  std::uint64_t total = 0;
  for (const auto& each : stats)
    total += each.second.count();
  return total;
}

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("a finished process is read back with its books, names and all records") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  trace_drain drain{*recorder, folder.path()};
  record(*recorder, 1, 10);
  drain.drain();
  record(*recorder, 11, 5);
  drain.finish(recorder->map().header().monotonic_ns + 2'000'000'000);
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  REQUIRE(trace->processes.size() == 1);
  const auto& process = trace->processes[0];
  CHECK(process.state == process_state::finished);
  CHECK(process.full);
  CHECK(process.num_cpus > 0);
  CHECK(process.recorded == 15);
  CHECK(process.seconds() == doctest::Approx(2));
  CHECK(messages_of(process) == numbers(1, 15));
}

TEST_CASE("of a process that died, what the file lacks comes from the rings, once") {
  const scratch_folder folder;
  die_after(folder.path(), [&](trace_recorder& recorder) {
    trace_drain drain{recorder, folder.path()};
    record(recorder, 1, 10);
    drain.drain();
    record(recorder, 11, 5);
  });
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  REQUIRE(trace->processes.size() == 1);
  CHECK(trace->processes[0].state == process_state::died);
  CHECK(messages_of(trace->processes[0]) == numbers(1, 15));
}

TEST_CASE("trace files stay within their size: the oldest records go, and how many is told") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  constexpr std::uint64_t max_bytes = 32'768;
  trace_drain drain{*recorder, folder.path(), max_bytes};
  constexpr std::uint64_t num_rounds = 300, per_round = 50;
  for (std::uint64_t round = 0; round < num_rounds; ++round) {
    record(*recorder, round * per_round, per_round);
    drain.drain();
    std::uint64_t num_bytes = 0;
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
      if (entry.path().extension() == ".trc")
        num_bytes += entry.file_size();
    CHECK(num_bytes <= max_bytes + max_bytes / 8);
  }
  const auto end = drain.finish(1);
  CHECK(end.recorded == num_rounds * per_round);
  CHECK(end.cut > 0);
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  const auto& process = trace->processes[0];
  CHECK(process.files.size() > 2);
  CHECK(process.recorded == end.recorded);
  CHECK(process.cut == end.cut);
  CHECK(messages_of(process) == numbers(end.cut, num_rounds * per_round - end.cut));
  CHECK(process.stats.size() == 1);
  CHECK(process.stats.begin()->second.count() == num_rounds * per_round); // The counts lose nothing.
}

TEST_CASE("what a process that died had cut off is told as well") {
  const scratch_folder folder;
  constexpr std::uint64_t num_rounds = 200, per_round = 50;
  die_after(folder.path(), [&](trace_recorder& recorder) {
    trace_drain drain{recorder, folder.path(), 16'384};
    for (std::uint64_t round = 0; round < num_rounds; ++round) {
      record(recorder, round * per_round, per_round);
      drain.drain();
    }
  });
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  const auto& process = trace->processes[0];
  CHECK(process.state == process_state::died);
  CHECK(process.recorded == num_rounds * per_round);
  CHECK(process.cut > 0);
  CHECK(messages_of(process) == numbers(process.cut, num_rounds * per_round - process.cut));
}

TEST_CASE("counts alone stay within the size too, and none is lost") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_newest);
  trace_drain drain{*recorder, folder.path(), 8192};
  for (int minute = 0; minute < 200; ++minute) {
    record(*recorder, 1, 5);
    for (int i = 0; i < 12; ++i)
      drain.tally(1000 * minute);
  }
  std::uint64_t num_bytes = 0;
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
    if (entry.path().extension() == ".trc")
      num_bytes += entry.file_size();
  CHECK(num_bytes <= 8192 + 1024);
  drain.finish(1);
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  CHECK(count_in(trace->processes[0].stats) == 1000);
}

TEST_CASE("records that could not be written are read from the rings that were left behind") {
  const scratch_folder folder;
  const auto before = current_file_size_limit();
  die_after(folder.path(), [&](trace_recorder& recorder) {
    trace_drain drain{recorder, folder.path()};
    record(recorder, 1, 10);
    drain.drain();
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit small{1, before.rlim_max};
    setrlimit(RLIMIT_FSIZE, &small);
    record(recorder, 11, 5);
    drain.drain(); // Fails, and the places in the ring are free.
    setrlimit(RLIMIT_FSIZE, &before);
    record(recorder, 16, 5);
    drain.finish(recorder.map().header().monotonic_ns + 1'000'000);
  });
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  const auto& process = trace->processes[0];
  CHECK(process.state == process_state::finished);
  CHECK(process.dropped == 5);
  auto messages = messages_of(process);
  std::sort(messages.begin(), messages.end());
  CHECK(messages == numbers(1, 20));
}

TEST_CASE("a process of which only the trace file is left has its times from the records") {
  const scratch_folder folder;
  die_after(folder.path(), [&](trace_recorder& recorder) {
    trace_drain drain{recorder, folder.path()};
    record(recorder, 1, 10);
    drain.drain();
    recorder.remove_file();
  });
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  CHECK(trace->processes[0].state == process_state::died);
  CHECK(trace->processes[0].seen_ns - trace->processes[0].started_ns == 30);
}

TEST_CASE("a process runs as long as it holds its rings, whatever has its number") {
  const scratch_folder other;
  die_after(other.path(), [](trace_recorder& x) { x.map().header().process = 1; }); // Somebody's.
  CHECK(open_trace(other.path())->processes[0].state == process_state::died);
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  recorder->map().header().process = 0x7fffffff; // Nobody's.
  CHECK(open_trace(folder.path())->processes[0].state == process_state::running);
}

TEST_CASE("a flight recorder that could not be written leaves nothing behind, and only the newest 16 stay") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  trace_drain drain{*recorder, folder.path()};
  std::signal(SIGXFSZ, SIG_IGN);
  const auto before = current_file_size_limit();
  const rlimit small{100, before.rlim_max};
  setrlimit(RLIMIT_FSIZE, &small);
  const auto failed = drain.dump(1, "no room");
  setrlimit(RLIMIT_FSIZE, &before);
  CHECK_FALSE(failed);
  CHECK(find_flight_recorders(folder.path()).empty());
  for (int i = 0; i < 20; ++i)
    CHECK(drain.dump(1, "again"));
  CHECK(find_flight_recorders(folder.path()).size() == 16);
}

TEST_CASE("a flight recorder says what everybody is at and why it was written, and the recording goes on") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_newest, 16);
  trace_drain drain{*recorder, folder.path()};
  record(*recorder, 1, 40);
  const auto place = recorder->claim_actor(77);
  auto actor = recorder->map().actor(place);
  actor.rename(recorder->map().strings().intern("augmenter#1"));
  actor.count_enqueued();
  actor.begin({5, 123, recorder->map().strings().intern("chunk_ready"), {.sample = 9, .batch = 2}});
  const auto path = drain.dump(1000, "stalled: no progress for 60 s");
  REQUIRE(path);
  record(*recorder, 41, 2);
  drain.finish(2000);

  CHECK(find_flight_recorders(folder.path()) == std::vector<std::string>{*path});
  const auto flight = open_flight_recorder(*path);
  REQUIRE(flight);
  CHECK(flight->reason == "stalled: no progress for 60 s");
  CHECK(messages_of(*flight) == numbers(25, 16));
  const auto busy =
    std::find_if(flight->actors.begin(), flight->actors.end(), [](auto& x) { return x.now.has_value(); });
  REQUIRE(busy != flight->actors.end());
  CHECK(flight->name(busy->name) == "augmenter#1");
  CHECK(busy->mailbox_depth == 1);
  CHECK(flight->name(busy->now->type) == "chunk_ready");
  CHECK(busy->now->ids.sample == 9);
  CHECK(busy->now->since_ns == 123);

  const auto trace = open_trace(folder.path()); // Is not mistaken for a process of its own.
  REQUIRE(trace);
  REQUIRE(trace->processes.size() == 1);
  CHECK(messages_of(trace->processes[0]) == numbers(27, 16));
}

TEST_CASE("two dumps go to two files") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  trace_drain drain{*recorder, folder.path()};
  const auto first = drain.dump(1, "one");
  const auto second = drain.dump(2, "two");
  REQUIRE(first);
  REQUIRE(second);
  CHECK(find_flight_recorders(folder.path()).size() == 2);
}

TEST_CASE("a file that is no trace is told of, and the others are read") {
  const scratch_folder folder;
  {
    const auto recorder = start(folder.path(), ring_policy::keep_all);
    trace_drain drain{*recorder, folder.path()};
    record(*recorder, 1, 3);
    drain.finish(1);
  }
  const auto bad = folder / "run-0000000000000001-000001.trc";
  std::ofstream{bad} << "not a trace";
  const auto trace = open_trace(folder.path());
  REQUIRE(trace);
  CHECK(trace->processes.size() == 1);
  REQUIRE(trace->problems.size() == 1);
  CHECK(trace->problems[0].find(bad) != std::string::npos);
}

TEST_CASE("a folder whose only trace cannot be read is corrupt") {
  const scratch_folder folder;
  std::ofstream{folder / "run-0000000000000001-000001.trc"} << "not a trace";
  const auto trace = open_trace(folder.path());
  REQUIRE_FALSE(trace);
  CHECK(trace.error().code == ec::corrupt);
}

TEST_CASE("a folder without a trace is told by its name") {
  const scratch_folder folder;
  const auto trace = open_trace(folder.path());
  REQUIRE_FALSE(trace);
  CHECK(trace.error().code == ec::not_found);
  CHECK(trace.error().context.find(folder.path()) != std::string::npos);
}

TEST_SUITE_END();
