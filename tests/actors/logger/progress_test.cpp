#include "actors/logger/progress.hpp"

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

step_completed step_at(std::uint64_t number, double since_start, double loss = 1) {
  step_completed x;
  x.step = number;
  x.epoch = 1;
  x.num_samples = 10;
  x.loss_sum = 10 * loss;
  x.num_correct = 5;
  x.step_seconds = 1;
  x.since_start_seconds = since_start;
  return x;
}

} // namespace

TEST_SUITE("actors/logger") {

  TEST_CASE("before the first step there is nothing to say") {
    const progress nothing;
    CHECK(nothing.seconds_left(100) < 0);
    CHECK(nothing.recent().samples_per_second == 0);
    CHECK(nothing.epoch().loss == 0);
  }

  TEST_CASE("the time left is that of this process's pace, also after a resume") {
    progress p;
    for (std::uint64_t i = 0; i < 10; ++i)
      p.add(step_at(1001 + i, 2.0 * static_cast<double>(i) + 1));
    CHECK(p.seconds_left(1110) == doctest::Approx(19.0 / 10 * 100));
    CHECK(p.seconds_left(1010) == 0);
    CHECK(p.seconds_left(5) == 0);
    CHECK(p.seconds_left(0) < 0);
  }

  TEST_CASE("recent figures forget: after three seconds an old step counts half") {
    progress p;
    p.add(step_at(1, 1, 4));
    p.add(step_at(2, 4, 1));
    CHECK(p.recent().loss == doctest::Approx((4 * 0.5 + 1) / 1.5));
    CHECK(p.recent().samples_per_second == doctest::Approx(15 / (0.5 * 1 + 3)));
  }

  TEST_CASE("epoch figures are plain means that begin anew with the epoch") {
    progress p;
    p.add(step_at(1, 1, 4));
    p.add(step_at(2, 100, 1));
    CHECK(p.epoch().loss == doctest::Approx(2.5));
    CHECK(p.epoch().accuracy == doctest::Approx(0.5));
    CHECK(p.epoch().seconds == doctest::Approx(100));
    auto next = step_at(3, 101, 7);
    next.epoch = 2;
    p.add(next);
    CHECK(p.epoch().loss == doctest::Approx(7));
    CHECK(p.epoch().seconds == doctest::Approx(1));
  }

  TEST_CASE("time that runs backwards gives no nonsense") {
    progress p;
    p.add(step_at(1, 10));
    p.add(step_at(2, 5));
    CHECK(p.recent().samples_per_second >= 0);
    CHECK(p.epoch().seconds >= 0);
  }

} // TEST_SUITE
