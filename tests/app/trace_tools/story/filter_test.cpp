#include "app/trace_tools/story/filter.hpp"

#include "tests/support/made_run.hpp"
#include "tests/support/scratch_folder.hpp"

#include <limits>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using troupe::test::made_run;

namespace {

constexpr std::uint64_t us = 1000;

struct filter_fixture {
  filter_fixture() : run(folder.path()) {
    run.train();
    run.put(trace_kind::value, "trainer", "loss", {.batch = 7, .step = 8}, 0, std::bit_cast<std::uint64_t>(99.5));
    run.finish();
    trace = *open_trace(folder.path());
  }

  [[nodiscard]] std::uint64_t count(const filter_options& options) const { return filter(trace, options).num_matches; }

  scratch_folder folder;
  made_run run;
  recorded_trace trace;
};

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/story");

TEST_CASE("records are filtered by actor, type, kind, outcome and ids") {
  const filter_fixture fixture;
  CHECK(fixture.count({.type = "chunk_ready"}) == 14); // 12 of training, 2 of validation.
  CHECK(fixture.count({.actor = "augmenter#*", .type = "chunk_ready"}) == 12);
  CHECK(fixture.count({.actor = "reader#0"}) == 24); // Of sender and receiver.
  CHECK(fixture.count({.kind = trace_kind::sample}) == 28);
  CHECK(fixture.count({.kind = trace_kind::sample, .outcome = trace_outcome::threw}) == 0);
  CHECK(fixture.count({.kind = trace_kind::sample, .sample = 5}) == 2);
  CHECK(fixture.count({.type = "step_completed", .step = 4}) == 1);
  CHECK(fixture.count({.kind = trace_kind::mark, .version = 2}) == 1);
  CHECK(fixture.count({.kind = trace_kind::sample, .step = 1}) == 0); // An epoch is no step.
  CHECK(fixture.count({.type = "[", .kind = trace_kind::mark}) == 0);
}

TEST_CASE("records are filtered by times") {
  const filter_fixture fixture;
  CHECK(fixture.count({.type = "batch_ready", .min_wait_ns = 20 * us}) == 8);
  CHECK(fixture.count({.type = "batch_ready", .min_wait_ns = 21 * us}) == 0);
  CHECK(fixture.count({.type = "batch_ready", .min_handling_ns = 31 * us}) == 0);
  CHECK(fixture.count({.kind = trace_kind::mark, .min_wait_ns = 0}) == 0); // It does not wait.
  const auto all = fixture.count({});
  CHECK(fixture.count({.after_ns = 1500 * us}) + fixture.count({.before_ns = 1500 * us}) == all);
}

TEST_CASE("the first records come in time order, and the rest is counted") {
  const filter_fixture fixture;
  const auto result = filter(fixture.trace, {.type = "batch_ready", .limit = 3});
  REQUIRE(result.records.size() == 3);
  CHECK(result.num_matches == 8);
  CHECK(result.records[0].record.batch == 0);
  CHECK(result.records[2].record.batch == 2);
  std::ostringstream out;
  print_text(result, out);
  CHECK(out.str().find("and 5 more (--limit)") != std::string::npos);
}

TEST_CASE("a loss spike is the largest value, with a hint where to look") {
  const filter_fixture fixture;
  const auto result =
    filter(fixture.trace, {.type = "loss", .kind = trace_kind::value, .order = filter_order::value, .limit = 2});
  REQUIRE(result.records.size() == 2);
  CHECK(recorded_value(result.records[0].record) == 99.5);
  CHECK(recorded_value(result.records[1].record) == 1.0);
  std::ostringstream out;
  print_text(result, out);
  CHECK(out.str().find("trainer: loss 99.5 (batch 7, step 8)") != std::string::npos);
  CHECK(out.str().find("troupe trace show RUN batch:7") != std::string::npos);
}

TEST_CASE("a loss that is no number is the largest of all, and JSON can carry it") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.put(trace_kind::value, "trainer", "loss", {.step = 1}, 0, std::bit_cast<std::uint64_t>(1e30));
  run.put(trace_kind::value, "trainer", "loss", {.step = 2}, 0,
          std::bit_cast<std::uint64_t>(std::numeric_limits<double>::quiet_NaN()));
  run.finish();
  const auto trace = *open_trace(folder.path());
  const auto result = filter(trace, {.order = filter_order::value});
  REQUIRE(result.records.size() == 2);
  CHECK(result.records[0].record.step == 2);
  std::ostringstream out;
  print_json(result, out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["records"][0]["value"] == "nan");
  CHECK(json["records"][1]["value"] == 1e30);
}

TEST_SUITE_END();
