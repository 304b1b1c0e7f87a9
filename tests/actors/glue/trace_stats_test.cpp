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
  const auto& first = merged.at({1, 7});
  CHECK(first.count() == 2);
  CHECK(first.bytes == 20);
  CHECK(first.wait.sum_ns == 400);
  CHECK(first.wait.max_ns == 300);
  CHECK(first.handling.sum_ns == 90);
  CHECK(merged.at({2, 7}).handling.max_ns == 6);
}

TEST_CASE("a message that was never taken up counts without times") {
  stats_memory memory;
  memory.stats.count({.enqueued_ns = 1000, .receiver = 1, .name = 7, .outcome = trace_outcome::never_handled});
  const auto stats = memory.merged().at({1, 7});
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
  CHECK(merged.at({0, 0}).count() == num_pairs - (max_stats_rows - 1));
}

TEST_CASE("a clock that went back does not count as a huge wait") {
  stats_memory memory;
  memory.stats.count(handled(1, 1, -50, 10));
  CHECK(memory.merged().at({1, 1}).wait.max_ns == 0);
}

TEST_SUITE_END();
