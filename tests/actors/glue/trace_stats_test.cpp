#include "actors/glue/trace_stats.hpp"

#include <memory>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct stats_memory {
  std::unique_ptr<stats_row[]> rows = std::make_unique<stats_row[]>(max_stats_rows);
  trace_stats stats{rows.get()};

  stats_map merged() const {
    stats_map result;
    stats.merge_into(result);
    return result;
  }
};

trace_record handled(std::uint32_t receiver, std::uint32_t type, std::int64_t wait, std::int64_t handling) {
  return {.enqueued_ns = 1000,
          .dequeued_ns = 1000 + wait,
          .ended_ns = 1000 + wait + handling,
          .bytes = 10,
          .receiver = receiver,
          .name = type};
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("messages are counted by actor and type with their times") {
  stats_memory memory;
  memory.stats.count(handled(1, 7, 100, 50));
  memory.stats.count(handled(1, 7, 300, 40));
  memory.stats.count(handled(2, 7, 5, 6));
  const auto merged = memory.merged();
  REQUIRE(merged.size() == 2);
  const auto& first = merged.at({.receiver = 1, .type = 7});
  CHECK(first.count() == 2);
  CHECK(first.bytes == 20);
  CHECK(first.wait.sum_ns == 400);
  CHECK(first.wait.max_ns == 300);
  CHECK(first.handling.sum_ns == 90);
  CHECK(merged.at({.receiver = 2, .type = 7}).handling.max_ns == 6);
}

TEST_CASE("a message that was never taken up counts without times") {
  stats_memory memory;
  memory.stats.count({.enqueued_ns = 1000, .receiver = 1, .name = 7, .outcome = trace_outcome::never_handled});
  const auto stats = memory.merged().at({.receiver = 1, .type = 7});
  CHECK(stats.outcomes[static_cast<std::size_t>(trace_outcome::never_handled)] == 1);
  CHECK(stats.wait.count() == 0);
  CHECK(stats.handling.count() == 0);
}

TEST_CASE("pairs that find no place are counted together, none is lost") {
  constexpr std::uint32_t num_pairs = 1000;
  stats_memory memory;
  for (std::uint32_t i = 1; i <= num_pairs; ++i)
    memory.stats.count(handled(i, i, 1, 1));
  const auto merged = memory.merged();
  CHECK(merged.size() == max_stats_rows);
  std::uint64_t total = 0;
  for (const auto& [key, stats] : merged)
    total += stats.count();
  CHECK(total == num_pairs);
  CHECK(merged.at({.receiver = 0, .type = 0}).count() == num_pairs - (max_stats_rows - 1));
}

TEST_CASE("messages of different senders are counted apart, and when they were first and last there is known") {
  stats_memory memory;
  auto record = handled(1, 7, 100, 50);
  record.sender = 3;
  memory.stats.count(record);
  record.enqueued_ns += 5000, record.dequeued_ns += 5000, record.ended_ns += 5000;
  memory.stats.count(record);
  record.sender = 4;
  memory.stats.count(record);
  const auto merged = memory.merged();
  const auto& third = merged.at({.receiver = 1, .type = 7, .sender = 3});
  CHECK(third.count() == 2);
  CHECK(third.first_ns == 1100);
  CHECK(third.last_ns == 6150);
  CHECK(merged.at({.receiver = 1, .type = 7, .sender = 4}).first_ns == 6100);
}

TEST_CASE("spans, marks, values and samples are counted apart from messages; links, spawns and exits are not") {
  stats_memory memory;
  for (const auto kind : {trace_kind::message, trace_kind::link, trace_kind::mark, trace_kind::spawn, trace_kind::exit,
                          trace_kind::span, trace_kind::value, trace_kind::sample}) {
    auto record = handled(1, 7, 0, 50);
    record.kind = kind;
    record.sender = 9; // Only messages have one.
    memory.stats.count(record);
  }
  const auto merged = memory.merged();
  CHECK(merged.size() == 5);
  CHECK(merged.at({.receiver = 1, .type = 7, .sender = 9}).count() == 1);
  for (const auto kind : {trace_kind::mark, trace_kind::span, trace_kind::value, trace_kind::sample})
    CHECK(merged.at({.kind = kind, .receiver = 1, .type = 7}).count() == 1);
}

TEST_CASE("a key is the same after it was packed") {
  const stats_key key{trace_kind::sample, 4095, 17, 65535};
  CHECK(unpack(pack(key)) == key);
}

TEST_CASE("two counts of the same name have the earlier beginning and the later end") {
  message_stats a, b;
  a.first_ns = 10, a.last_ns = 20;
  b.first_ns = 5, b.last_ns = 15;
  a.merge(b);
  CHECK(a.first_ns == 5);
  CHECK(a.last_ns == 20);
  a.merge({});
  CHECK(a.first_ns == 5);
}

TEST_CASE("a clock that went back does not count as a huge wait") {
  stats_memory memory;
  memory.stats.count(handled(1, 1, -50, 10));
  CHECK(memory.merged().at({.receiver = 1, .type = 1}).wait.max_ns == 0);
}

TEST_SUITE_END();
