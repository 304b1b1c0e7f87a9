#include "actors/tracer/record_codec.hpp"

#include <cstring>
#include <limits>
#include <random>
#include <span>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

std::vector<trace_record> decode(const std::string& bytes, std::size_t num_records, bool& ok) {
  byte_reader reader{std::as_bytes(std::span{bytes})};
  std::vector<trace_record> records;
  ok = take_records(reader, num_records, records);
  return records;
}

trace_record random_record(std::mt19937_64& random) {
  trace_record record;
  std::array<std::uint64_t, sizeof record / 8> words;
  for (auto& word : words)
    switch (random() % 4) {
    case 0:
      word = random();
      break;
    case 1:
      word = random() % 100;
      break;
    case 2:
      word = std::numeric_limits<std::uint64_t>::max();
      break;
    default:
      word = 0;
    }
  std::memcpy(static_cast<void*>(&record), words.data(), sizeof record);
  record.kind = static_cast<trace_kind>(random() % num_trace_kinds);
  record.outcome = static_cast<trace_outcome>(random() % num_trace_outcomes);
  return record;
}

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("any records come back as they were") {
  std::mt19937_64 random{7};
  for (int round = 0; round < 200; ++round) {
    std::vector<trace_record> records(random() % 50);
    for (auto& record : records)
      record = random_record(random);
    byte_writer out;
    put_records(out, records);
    bool ok = false;
    CHECK(decode(out.bytes(), records.size(), ok) == records);
    CHECK(ok);
  }
}

TEST_CASE("bytes that end too early or are no records are refused, never read past") {
  std::mt19937_64 random{8};
  std::vector<trace_record> records(5);
  for (auto& record : records)
    record = random_record(random);
  byte_writer out;
  put_records(out, records);
  for (std::size_t size = 0; size < out.bytes().size(); ++size) {
    bool ok = true;
    CHECK(decode(out.bytes().substr(0, size), records.size(), ok).size() < records.size());
    CHECK_FALSE(ok);
  }
  for (int round = 0; round < 2000; ++round) {
    std::string noise(random() % 200, '\0');
    for (auto& byte : noise)
      byte = static_cast<char>(random());
    bool ok = true;
    CHECK(decode(noise, 100, ok).size() <= 100);
  }
}

TEST_CASE("messages that follow each other take less than half of their memory") {
  std::vector<trace_record> records;
  for (std::uint64_t i = 0; i < 1000; ++i)
    records.push_back({.message = (i + 1) << 4,
                       .cause = (i + 1) << 4 | 1,
                       .root = 5,
                       .enqueued_ns = static_cast<std::int64_t>(1'000'000'000'000 + i * 40'000),
                       .dequeued_ns = static_cast<std::int64_t>(1'000'000'000'000 + i * 40'000 + 3'000),
                       .ended_ns = static_cast<std::int64_t>(1'000'000'000'000 + i * 40'000 + 33'000),
                       .sample = i * 16,
                       .batch = i / 8,
                       .bytes = 120'000 + i,
                       .sender = 2,
                       .receiver = static_cast<std::uint32_t>(3 + i % 2),
                       .name = 9});
  byte_writer out;
  put_records(out, records);
  CHECK(out.bytes().size() < records.size() * sizeof(trace_record) / 2);
}

TEST_SUITE_END();
