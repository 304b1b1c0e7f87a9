#include "app/trace_tools/report/report_data.hpp"

#include "tests/app/trace_tools/report/run_builder.hpp"

#include <algorithm>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

const actor_lane& lane_of(const report_data& report, const std::string& actor) {
  const auto place =
    std::find_if(report.lanes.begin(), report.lanes.end(), [&](const auto& each) { return each.actor == actor; });
  REQUIRE(place != report.lanes.end());
  return *place;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/report");

TEST_CASE("lanes say how busy an actor was over time and how many messages waited") {
  run_builder run;
  run.begin();
  run.message("trainer", "batch_ready", 1, 500 * ms, 750 * ms);
  run.message("trainer", "batch_ready", 1, 750 * ms, 1000 * ms);
  run.end(1000 * ms);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  const auto& lane = lane_of(report, "trainer");
  CHECK(report.complete);
  CHECK(lane.busy == doctest::Approx(0.5));
  CHECK(lane.busy_bins.front() == doctest::Approx(0));
  CHECK(lane.busy_bins[num_report_bins / 2 + 1] == doctest::Approx(1));
  CHECK(lane.queue_bins[1] == doctest::Approx(2));
  CHECK(lane.queue_bins[num_report_bins / 2 + 1] == doctest::Approx(1));
  CHECK(lane.queue_bins.back() == doctest::Approx(0).epsilon(1e-6));
}

TEST_CASE("the numbers are those of the summary and the verdict") {
  run_builder run;
  record_run(run, 40);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  const auto summary = summarize(trace);
  for (const auto& load : summary.actors)
    CHECK(lane_of(report, load.actor).busy == load.busy);
  CHECK(report.found.finding == judge(trace).finding);
  CHECK(report.trainer.trains == doctest::Approx(0.28));
  CHECK(report.num_checkpoints == 1);
  REQUIRE(report.checkpoints.size() == 1);
  CHECK(report.checkpoints[0].bytes == 2'500'000);
  REQUIRE(report.lost.size() == 1);
  CHECK(report.lost[0].outcome == "never_handled");
}

TEST_CASE("a loss that stands out is named with its step and batch") {
  run_builder run;
  record_run(run, 40);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  CHECK_FALSE(report.loss.logged);
  REQUIRE(report.loss.spikes.size() == 1);
  CHECK(report.loss.spikes[0].step == 21);
  CHECK(report.loss.spikes[0].batch == 20);
  CHECK(report.loss.spikes[0].value == 9.5);
  CHECK(report.loss.spikes[0].usual == doctest::Approx(1));
}

TEST_CASE("steps that a resumed run did again count once") {
  run_builder run;
  run.begin();
  for (std::uint64_t step = 1; step <= 30; ++step)
    run.loss(step, 5);
  run.end(100 * ms);
  run.begin();
  for (std::uint64_t step = 21; step <= 40; ++step)
    run.loss(step, 1);
  run.end(300 * ms);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  REQUIRE(report.stretches.size() == 2);
  CHECK(report.axis_seconds == doctest::Approx(0.4));
  CHECK(report.stretches[1].offset == doctest::Approx(0.1));
  REQUIRE(report.loss.points.size() == 40);
  CHECK(report.loss.points[19].mean == 5);
  CHECK(report.loss.points[20].mean == 1);
}

TEST_CASE("where records are gone the log has the losses and the axis what is known") {
  run_builder run(ring_policy::keep_newest);
  run.put("metrics.csv", "step,epoch,loss\n10,1,2.5\n20,1,1.5\n");
  run.put("validation.csv", "step,epoch,top1\n20,1,0.75\n");
  run.begin();
  run.message("loader", "describe", 1, ms, 2 * ms);
  for (std::uint64_t i = 1; i <= 20'000; ++i)
    run.message("trainer", "batch_ready", static_cast<std::int64_t>(i) * ms, static_cast<std::int64_t>(i) * ms + 1,
                static_cast<std::int64_t>(i) * ms + ms / 2);
  for (std::uint64_t step = 1; step <= 9000; ++step)
    run.loss(step, 1);
  run.end(20'000 * ms);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  CHECK_FALSE(report.complete);
  CHECK(report.loss.logged);
  REQUIRE(report.loss.points.size() == 2);
  CHECK(report.loss.points[0].mean == 2.5);
  REQUIRE(report.validations.size() == 1);
  CHECK(report.validations[0].top1 == 0.75);
}

TEST_CASE("the slowest samples and messages are kept, slowest first") {
  run_builder run;
  run.begin();
  for (std::uint64_t i = 1; i <= 100; ++i)
    run.sample("validation augmenter#1",
               {.sample = i, .batch = 3, .epoch = 1, .begun_ns = 1, .ended_ns = static_cast<std::int64_t>(i) * ms});
  for (std::int64_t i = 1; i <= 100; ++i)
    run.message("trainer", "batch_ready", 1, 2, i * ms);
  run.end(1000 * ms);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  REQUIRE(report.slow_samples.size() == 12);
  CHECK(report.slow_samples[0].sample.sample == 100);
  CHECK(report.slow_samples[11].sample.sample == 89);
  CHECK(report.slow_samples[0].in_validation);
  REQUIRE(report.slow_messages.size() == 3); // Of one type.
  CHECK(report.slow_messages[0].handling_ns == 100 * ms - 2);
}

TEST_CASE("a stage of many actors has one lane") {
  run_builder run;
  run.begin();
  for (int i = 0; i < 64; ++i)
    run.message("augmenter#" + std::to_string(i), "chunk_ready", 1, 2, i % 2 == 0 ? 500 * ms : 2);
  run.end(1000 * ms);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  REQUIRE(report.lanes.size() == 1);
  CHECK(report.lanes[0].num_actors == 64);
  CHECK(report.lanes[0].busy == doctest::Approx(0.25));
  CHECK(report.lanes[0].busy_bins[10] == doctest::Approx(0.5));
}

TEST_CASE("the run's files tell how it ended") {
  run_builder run;
  run.put("summary.json", R"({"status": "interrupted", "steps": 77, "samples_per_second": 12.5,
                             "checkpoints": {"durable": 3, "superseded": 1, "failed": "x"}})");
  run.put("bad_samples.csv", "id,sample,data,epoch,stage,reason\n5,\"a,b.jpg\",training,1,decode,truncated\n");
  std::filesystem::create_directories(run.folder() + "/checkpoints/step-000000040-v0002-20261201T045215Z");
  record_run(run, 40);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder() + "/");
  CHECK(report.files.name == std::filesystem::path(run.folder()).filename().string());
  CHECK(status_of(report) == "interrupted");
  CHECK(steps_of(report) == 77);
  CHECK(report.num_checkpoints == 3);
  CHECK(report.checkpoints.size() == 2);
  REQUIRE(report.files.bad.size() == 1);
  CHECK(report.files.bad[0].sample == "a,b.jpg");
}

TEST_CASE("a summary.json that is none is told of") {
  run_builder run;
  run.put("summary.json", "{\"status\":");
  record_run(run, 2);
  const auto trace = run.read();
  const auto report = collect_report(trace, run.folder());
  CHECK_FALSE(report.files.outcome);
  CHECK(report.files.problems.size() == 1);
  CHECK(status_of(report) == "finished");
}
