#include "actors/tracer/trace_file.hpp"

#include "tests/support/scratch_folder.hpp"

#include <cstring>
#include <random>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const trace_file_header header{.nonce = 0x1234,
                               .process = 77,
                               .monotonic_ns = 1'000,
                               .realtime_ns = 1'700'000'000'000'000'000,
                               .full = true,
                               .host = "host-1"};

std::vector<trace_record> some_records(std::uint64_t first, std::size_t count) {
  std::vector<trace_record> records(count);
  for (std::size_t i = 0; i < count; ++i)
    records[i] = {.message = first + i, .enqueued_ns = 5, .dequeued_ns = 6, .ended_ns = 7, .batch = i, .name = 3};
  return records;
}

stats_block some_stats(std::uint64_t count) {
  stats_block block{.at_ns = 9'000, .stats = {}};
  auto& stats = block.stats[{.receiver = 4, .type = 3}];
  stats.outcomes[0] = count;
  stats.outcomes[2] = 1;
  stats.bytes = 99;
  for (std::uint64_t i = 0; i < count; ++i) {
    stats.wait.add(i * 1000);
    stats.handling.add(i * 7);
  }
  return block;
}

/// Header, names, records, counts, records, counts, end.
std::string write_file(const scratch_folder& folder) {
  const auto path = folder / "run.trc";
  std::filesystem::remove(path);
  auto file = trace_file_writer::create(path, header);
  REQUIRE(file);
  const auto early = some_records(1, 10);
  const auto late = some_records(11, 5);
  REQUIRE(file->write({{3, "chunk"}, {4, "augmenter#1"}}));
  REQUIRE(file->write(record_batch{2, 0, early}));
  REQUIRE(file->write(some_stats(10)));
  REQUIRE(file->write(record_batch{2, 10, late}));
  REQUIRE(file->write(some_stats(15)));
  REQUIRE(file->write(end_block{.at_ns = 10'000, .recorded = 15, .dropped = 1, .io_errors = 0}));
  REQUIRE(file->close());
  return path;
}

/// Where the blocks begin, and the end.
std::vector<std::size_t> block_starts(const std::string& bytes) {
  std::vector<std::size_t> starts;
  for (std::size_t offset = 0; offset < bytes.size();) {
    starts.push_back(offset);
    std::uint32_t payload_bytes = 0;
    std::memcpy(&payload_bytes, bytes.data() + offset + 8, sizeof payload_bytes);
    offset += 16 + payload_bytes;
  }
  starts.push_back(bytes.size());
  return starts;
}

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("a trace file gives back what was written") {
  const scratch_folder folder;
  std::vector<trace_record> records;
  const auto contents = read_trace_file(write_file(folder), [&](const record_batch& batch) {
    CHECK(batch.ring == 2);
    CHECK(batch.position == records.size());
    records.insert(records.end(), batch.records.begin(), batch.records.end());
  });
  REQUIRE(contents);
  CHECK(contents->header == header);
  CHECK(contents->strings == std::map<std::uint32_t, std::string>{{3, "chunk"}, {4, "augmenter#1"}});
  auto expected_records = some_records(1, 10);
  const auto late = some_records(11, 5);
  expected_records.insert(expected_records.end(), late.begin(), late.end());
  CHECK(records == expected_records);
  CHECK(contents->num_records == 15);
  CHECK(contents->next_position == std::map<std::uint32_t, std::uint64_t>{{2, 15}});
  REQUIRE(contents->stats);
  const auto& stats = contents->stats->stats.at({.receiver = 4, .type = 3});
  const auto written = some_stats(15).stats.at({.receiver = 4, .type = 3});
  CHECK(stats.outcomes == written.outcomes);
  CHECK(stats.bytes == 99);
  CHECK(stats.wait.buckets == written.wait.buckets);
  CHECK(stats.wait.max_ns == written.wait.max_ns);
  CHECK(stats.handling.sum_ns == written.handling.sum_ns);
  REQUIRE(contents->end);
  CHECK(contents->end->recorded == 15);
  CHECK(contents->end->dropped == 1);
  CHECK(contents->problems.empty());
}

TEST_CASE("a tail torn at any byte of the last block costs that block only, and is told of") {
  const scratch_folder folder;
  const auto bytes = bytes_of(write_file(folder));
  const auto last = block_starts(bytes)[6];
  REQUIRE(last < bytes.size());
  const auto torn = folder / "torn.trc";
  for (std::size_t size = last; size < bytes.size(); ++size) {
    CAPTURE(size);
    put_file(torn, std::string_view{bytes}.substr(0, size));
    const auto contents = read_trace_file(torn);
    REQUIRE(contents);
    CHECK(contents->num_records == 15);
    CHECK(contents->stats->stats.at({.receiver = 4, .type = 3}).count() == 16);
    CHECK_FALSE(contents->end);
    CHECK(contents->problems.size() == (size == last ? 0 : 1));
  }
}

TEST_CASE("a damaged block is skipped, whatever byte is damaged, and the blocks behind it are read") {
  const scratch_folder folder;
  const auto bytes = bytes_of(write_file(folder));
  const auto starts = block_starts(bytes);
  const auto damaged = folder / "damaged.trc";
  for (std::size_t at = starts[2]; at < starts[3]; ++at) { // The first ten records.
    CAPTURE(at);
    auto copy = bytes;
    copy[at] = static_cast<char>(copy[at] ^ 0x10);
    put_file(damaged, copy);
    const auto contents = read_trace_file(damaged);
    REQUIRE(contents);
    CHECK(contents->num_records == 5);
    CHECK(contents->end);
    REQUIRE(contents->problems.size() == 1);
    CHECK(contents->problems[0].find("bytes " + std::to_string(starts[2]) + " to " + std::to_string(starts[3]))
          != std::string::npos);
  }
}

TEST_CASE("garbage between blocks, even with the magic number in it, is skipped") {
  const scratch_folder folder;
  auto bytes = bytes_of(write_file(folder));
  bytes.insert(block_starts(bytes)[3], "TRBKTRBKxxxx TRBK");
  put_file(folder / "odd.trc", bytes);
  const auto contents = read_trace_file(folder / "odd.trc");
  REQUIRE(contents);
  CHECK(contents->num_records == 15);
  CHECK(contents->end);
  CHECK(contents->problems.size() == 1);
}

TEST_CASE("a file without a whole header is refused, with its name") {
  const scratch_folder folder;
  const auto bytes = bytes_of(write_file(folder));
  const auto path = folder / "headless.trc";
  for (std::size_t size = 0; size < block_starts(bytes)[1]; ++size) {
    CAPTURE(size);
    put_file(path, std::string_view{bytes}.substr(0, size));
    const auto contents = read_trace_file(path);
    REQUIRE_FALSE(contents);
    CHECK(contents.error().code == ec::corrupt);
    CHECK(contents.error().context.find(path) != std::string::npos);
  }
  const auto missing = read_trace_file(folder / "none.trc");
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
}

TEST_CASE("no damage anywhere makes the reader fail otherwise than by a refusal") {
  const scratch_folder folder;
  const auto bytes = bytes_of(write_file(folder));
  const auto path = folder / "fuzzed.trc";
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 engine{seed};
    auto copy = bytes;
    for (int i = 0; i < 8; ++i)
      copy[engine() % copy.size()] = static_cast<char>(engine());
    copy.resize(copy.size() - engine() % 64);
    put_file(path, copy);
    const auto contents = read_trace_file(path, [](const record_batch& batch) { CHECK(batch.records.size() <= 15); });
    CHECK((!contents || !contents->problems.empty()));
  }
}

TEST_CASE("an existing file is never written into") {
  const scratch_folder folder;
  const auto path = write_file(folder);
  const auto before = bytes_of(path);
  CHECK_FALSE(trace_file_writer::create(path, header));
  CHECK(bytes_of(path) == before);
}

TEST_SUITE_END();
