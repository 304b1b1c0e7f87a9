#include "app/trace_tools/report/loss_curve.hpp"

#include "app/trace_tools/report/leaders.hpp"
#include "app/trace_tools/report/occupancy.hpp"

#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("app/trace_tools/report");

TEST_CASE("a curve of a million steps has few points, and nothing is lost of its extremes") {
  loss_curve curve(512);
  for (std::uint64_t step = 1; step <= 1'000'000; ++step)
    curve.add(step, step - 1, step == 777'777 ? 50 : 1 + 1 / static_cast<double>(step));
  const auto points = curve.points();
  CHECK(points.size() <= 512);
  CHECK(points.size() > 128);
  CHECK(points.front().first_step == 1);
  CHECK(points.back().last_step == 1'000'000);
  double most = 0;
  for (const auto& point : points)
    most = std::max(most, point.most);
  CHECK(most == 50);
  REQUIRE(curve.spikes(3).size() == 1);
  CHECK(curve.spikes(3)[0].batch == 777'776);
}

TEST_CASE("a falling loss has no spikes, and noise is none") {
  loss_curve curve;
  for (std::uint64_t step = 1; step <= 1000; ++step)
    curve.add(step, step, 2.3 * std::exp(-0.01 * static_cast<double>(step)) + 0.5 + (step % 7 == 0 ? 0.1 : 0));
  CHECK(curve.spikes(3).empty());
}

TEST_CASE("a loss that is no number is the largest spike and in no point") {
  loss_curve curve;
  for (std::uint64_t step = 1; step <= 1000; ++step)
    curve.add(step, step, step == 400 ? 30 : step == 800 ? std::numeric_limits<double>::quiet_NaN() : 1);
  const auto spikes = curve.spikes(3);
  REQUIRE(spikes.size() == 2);
  CHECK(spikes[0].step == 800);
  CHECK(spikes[1].step == 400);
  for (const auto& point : curve.points())
    CHECK(std::isfinite(point.mean));
}

TEST_CASE("what is done again counts once") {
  loss_curve curve(8);
  for (std::uint64_t step = 1; step <= 100; ++step)
    curve.add(step, step, 1);
  curve.go_back_to(50);
  CHECK(curve.points().back().last_step == 49);
}

TEST_CASE("occupancy adds up parts of bins, whole bins, and what lies beside the axis not at all") {
  occupancy line(10, 10);
  line.add(0.5, 3.25);
  line.add(2, 3);
  line.add(-5, 0.25);
  line.add(9.5, 99);
  line.add(4, 4);
  const auto bins = line.per_bin();
  const std::vector<double> expected_bins = {0.75, 1, 2, 0.25, 0, 0, 0, 0, 0, 0.5};
  for (std::size_t i = 0; i < bins.size(); ++i)
    CHECK(bins[i] == doctest::Approx(expected_bins[i]));
}

TEST_CASE("an axis without length stays empty") {
  occupancy line(0, 4);
  line.add(0, 1);
  CHECK(line.per_bin() == std::vector<double>(4));
}

TEST_CASE("leaders keep the largest, and of equals the first") {
  leaders<int, char> best(2);
  best.add(1, 'a');
  best.add(3, 'b');
  best.add(3, 'c');
  best.add(2, 'd');
  REQUIRE(best.kept().size() == 2);
  CHECK(best.kept()[0].second == 'b');
  CHECK(best.kept()[1].second == 'c');
  CHECK_FALSE(best.wants(3));
}
