#include "actors/tracer/trace_drain.hpp"

#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::unique_ptr<trace_recorder> start(const std::string& folder, ring_policy policy) {
  auto recorder = trace_recorder::start({.folder = folder, .policy = policy, .num_rings = 2, .ring_capacity = 16});
  REQUIRE(recorder);
  return std::move(*recorder);
}

void record(trace_recorder& recorder, std::uint64_t first, std::uint64_t count) {
  for (std::uint64_t i = 0; i < count; ++i)
    recorder.put({.message = first + i,
                  .enqueued_ns = 10,
                  .dequeued_ns = 20,
                  .ended_ns = 30,
                  .receiver = recorder.map().strings().intern("loader"),
                  .name = recorder.map().strings().intern("next")});
}

std::vector<std::string> files_in(const std::string& folder, const std::string& extension) {
  std::vector<std::string> found;
  for (const auto& entry : std::filesystem::directory_iterator{folder})
    if (entry.path().extension() == extension)
      found.push_back(entry.path().string());
  return found;
}

struct read_back {
  trace_file_contents contents;
  std::vector<std::uint64_t> messages;
};

read_back read_only_file(const std::string& folder) {
  const auto files = files_in(folder, ".trc");
  REQUIRE(files.size() == 1);
  read_back result;
  auto contents = read_trace_file(files[0], [&](const record_batch& batch) {
    for (const auto& each : batch.records)
      result.messages.push_back(each.message);
  });
  REQUIRE(contents);
  result.contents = std::move(*contents);
  return result;
}

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("drained records are in the file once and in order, and their places are free again") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  trace_drain drain{*recorder, folder.path()};
  record(*recorder, 1, 10);
  drain.drain();
  drain.drain();
  record(*recorder, 11, 16);
  record(*recorder, 100, 3); // No room.
  const auto end = drain.finish(1000);
  CHECK(end.recorded == 26);
  CHECK(end.dropped == 3);
  CHECK(end.io_errors == 0);
  const auto file = read_only_file(folder.path());
  REQUIRE(file.messages.size() == 26);
  for (std::size_t i = 0; i < 26; ++i)
    CHECK(file.messages[i] == i + 1);
  REQUIRE(file.contents.end);
  CHECK(file.contents.end->recorded == 26);
  CHECK(file.contents.end->dropped == 3);
  CHECK(file.contents.stats->stats.begin()->second.count() == 29);
  CHECK(file.contents.strings.size() == 2);
}

TEST_CASE("in flight the newest records are stored at the end") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_newest);
  trace_drain drain{*recorder, folder.path()};
  record(*recorder, 1, 100);
  const auto end = drain.finish(1000);
  CHECK(end.recorded == 100);
  CHECK(end.dropped == 0);
  const auto file = read_only_file(folder.path());
  REQUIRE(file.messages.size() == 16);
  CHECK(file.messages.front() == 85);
  CHECK(file.contents.next_position.at(0) == 100);
  CHECK(file.contents.stats->stats.begin()->second.count() == 100);
}

TEST_CASE("the rings' file goes at a clean end and stays otherwise") {
  const scratch_folder folder;
  auto recorder = start(folder.path(), ring_policy::keep_all);
  {
    trace_drain drain{*recorder, folder.path()};
    record(*recorder, 1, 5);
    CHECK(files_in(folder.path(), ".bin").size() == 1);
    SUBCASE("clean") {
      drain.finish(1000);
      CHECK(files_in(folder.path(), ".bin").empty());
    }
    SUBCASE("never finished") {}
  }
  const auto finished = read_only_file(folder.path()).contents.end.has_value();
  CHECK(files_in(folder.path(), ".bin").size() == (finished ? 0 : 1));
}

TEST_CASE("where the file cannot be made, the records are counted as lost and the rings do not fill") {
  const scratch_folder folder;
  const auto recorder = start(folder.path(), ring_policy::keep_all);
  trace_drain drain{*recorder, folder / "missing"};
  CHECK(drain.problem().find("missing") != std::string::npos);
  for (std::uint64_t i = 0; i < 10; ++i) {
    record(*recorder, i * 16, 16);
    drain.drain();
  }
  drain.tally(500);
  const auto end = drain.finish(1000);
  CHECK(end.recorded == 0);
  CHECK(end.dropped == 160);
  CHECK(end.io_errors >= 1);
  CHECK(files_in(folder.path(), ".bin").size() == 1); // What is left of the trace.
}

TEST_SUITE_END();
