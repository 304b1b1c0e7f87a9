#include "actors/saver/best_tracker.hpp"

#include "tests/actors/saver/fixtures.hpp"

#include <cmath>
#include <limits>
#include <memory>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
constexpr double infinity = std::numeric_limits<double>::infinity();

validation_report report_of(std::uint64_t step, double top1, double topk = 0, double loss = 0) {
  validation_report result;
  result.snapshot = std::make_shared<snapshot>(snapshot_at(step, step));
  result.top1 = top1;
  result.topk = topk;
  result.loss = loss;
  return result;
}

best_tracker tracker_of(const std::string& monitor, monitor_mode mode) {
  auto result = best_tracker::make(monitor, mode);
  REQUIRE(result);
  return *result;
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/best_tracker");

TEST_CASE("an unknown monitor is bad config") {
  auto tracker = best_tracker::make("top5", monitor_mode::max);
  REQUIRE_FALSE(tracker);
  CHECK(tracker.error().code == ec::bad_config);
  CHECK(tracker.error().context.find("'top5'") != std::string::npos);
}

TEST_CASE("the first is the best, then only a better one") {
  auto tracker = tracker_of("top1", monitor_mode::max);
  CHECK_FALSE(tracker.best());
  CHECK(tracker.offer(report_of(1, 0.5)));
  CHECK_FALSE(tracker.offer(report_of(2, 0.4)));
  CHECK(tracker.offer(report_of(3, 0.6)));
  REQUIRE(tracker.best());
  CHECK(tracker.best()->value == 0.6);
  CHECK(tracker.best()->tag == snapshot_at(3, 3).tag);
}

TEST_CASE("of equals the earlier one stays") {
  for (auto mode : {monitor_mode::max, monitor_mode::min}) {
    auto tracker = tracker_of("top1", mode);
    CHECK(tracker.offer(report_of(1, 0.5)));
    CHECK_FALSE(tracker.offer(report_of(2, 0.5)));
    CHECK(tracker.best()->tag.step == 1);
  }
}

TEST_CASE("mode min wants the smallest") {
  auto tracker = tracker_of("loss", monitor_mode::min);
  CHECK(tracker.offer(report_of(1, 0, 0, 2.0)));
  CHECK(tracker.offer(report_of(2, 0, 0, 1.0)));
  CHECK_FALSE(tracker.offer(report_of(3, 0, 0, 1.5)));
  CHECK(tracker.best()->tag.step == 2);
}

TEST_CASE("each monitor looks at its own figure") {
  auto first = report_of(1, 0.5, 0.5, 0.5);
  auto second = report_of(2, 0.6, 0.4, 0.4);
  auto by_top1 = tracker_of("top1", monitor_mode::max);
  CHECK(by_top1.offer(first));
  CHECK(by_top1.offer(second));
  auto by_topk = tracker_of("topk", monitor_mode::max);
  CHECK(by_topk.offer(first));
  CHECK_FALSE(by_topk.offer(second));
  auto by_loss = tracker_of("loss", monitor_mode::min);
  CHECK(by_loss.offer(first));
  CHECK(by_loss.offer(second));
}

TEST_CASE("a figure of a plugin can be monitored by its name") {
  auto tracker = best_tracker::make("kappa", monitor_mode::min, {"f1", "kappa"});
  REQUIRE(tracker);
  auto judged = [](std::uint64_t step, std::vector<named_figure> figures) {
    auto report = report_of(step, 0.5);
    report.figures = std::move(figures);
    return report;
  };
  CHECK_FALSE(tracker->offer(judged(1, {{"f1", 0.1}, {"kappa", not_a_number}})));
  CHECK(tracker->offer(judged(2, {{"f1", 0.1}, {"kappa", 0.9}})));
  CHECK_FALSE(tracker->offer(judged(3, {{"f1", 0.1}})));
  CHECK(tracker->offer(judged(4, {{"f1", 0.9}, {"kappa", 0.5}})));
  CHECK(tracker->best()->value == 0.5);
}

TEST_CASE("a figure that the run does not have is bad config, which names those that it has") {
  auto tracker = best_tracker::make("kapa", monitor_mode::max, {"f1", "kappa"});
  REQUIRE_FALSE(tracker);
  CHECK(tracker.error().context
        == "checkpoint.monitor: 'kapa', expected top1, topk, loss, f1, kappa (validation.metrics)");
}

TEST_CASE("what is not finite is never the best and spoils nothing") {
  for (auto mode : {monitor_mode::max, monitor_mode::min})
    for (auto value : {not_a_number, infinity, -infinity}) {
      auto tracker = tracker_of("loss", mode);
      CHECK_FALSE(tracker.offer(report_of(1, 0, 0, value)));
      CHECK(tracker.offer(report_of(2, 0, 0, 1.0)));
      CHECK_FALSE(tracker.offer(report_of(3, 0, 0, value)));
      CHECK(tracker.best()->tag.step == 2);
    }
}

TEST_CASE("the record survives as notes to the last bit") {
  for (auto value : {1.0 / 3, 0.1, -0.0, 5e-324, 1.7976931348623157e308, std::nextafter(0.5, 1.0)}) {
    auto before = tracker_of("loss", monitor_mode::min);
    REQUIRE(before.offer(report_of(7, 0, 0, value)));
    auto after = tracker_of("loss", monitor_mode::min);
    REQUIRE(after.restore(before.to_notes()));
    CHECK(after.best() == before.best());
    CHECK(std::signbit(after.best()->value) == std::signbit(value));
    CHECK_FALSE(after.offer(report_of(8, 0, 0, value)));
  }
}

TEST_CASE("no record gives no notes, and no notes give no record") {
  auto tracker = tracker_of("top1", monitor_mode::max);
  CHECK(tracker.to_notes().empty());
  REQUIRE(tracker.restore({{"something", "else"}}));
  CHECK_FALSE(tracker.best());
}

TEST_CASE("a record by another monitor or mode is refused") {
  auto before = tracker_of("loss", monitor_mode::min);
  before.offer(report_of(1, 0, 0, 1.0));
  auto other_monitor = tracker_of("top1", monitor_mode::min);
  auto other_mode = tracker_of("loss", monitor_mode::max);
  for (auto* tracker : {&other_monitor, &other_mode}) {
    auto restored = tracker->restore(before.to_notes());
    REQUIRE_FALSE(restored);
    CHECK(restored.error().code == ec::mismatch);
    CHECK_FALSE(tracker->best());
  }
}

TEST_CASE("damaged notes are corrupt") {
  auto before = tracker_of("loss", monitor_mode::min);
  before.offer(report_of(1, 0, 0, 1.0));
  for (auto key : {"best.value", "best.epoch", "best.step", "best.version"})
    for (auto text : {"", "x", "1x", "-", "nan"}) {
      auto notes = before.to_notes();
      notes[key] = text;
      auto tracker = tracker_of("loss", monitor_mode::min);
      auto restored = tracker.restore(notes);
      REQUIRE_FALSE(restored);
      CHECK(restored.error().code == ec::corrupt);
      CHECK_FALSE(tracker.best());
    }
  for (auto key : {"best.epoch", "best.step", "best.version", "best.run"}) {
    auto notes = before.to_notes();
    notes.erase(key);
    CHECK_FALSE(tracker_of("loss", monitor_mode::min).restore(notes));
  }
}

TEST_SUITE_END();
