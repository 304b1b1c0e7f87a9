#include "actors/validator/scores.hpp"

#include <array>
#include <cmath>
#include <limits>

#include "tests/support/doctest.hpp"

using namespace troupe;
using doctest::Approx;

TEST_SUITE("actors/validator/scores") {
  TEST_CASE("figures are the sums that are computed by hand") {
    scores found(3, 2);
    found.add(std::array{2.0f, 1.0f, 0.0f}, 0); // right
    found.add(std::array{2.0f, 1.0f, 0.0f}, 1); // second
    found.add(std::array{2.0f, 1.0f, 0.0f}, 2); // last
    found.add(std::array{0.0f, 5.0f, 0.0f}, 1); // right
    const auto figures = found.figures();
    CHECK(figures.num_samples == 4);
    CHECK(figures.top1 == 0.5);
    CHECK(figures.topk == 0.75);
    CHECK(figures.k == 2);
    CHECK(figures.confusion == std::vector<std::uint64_t>{1, 0, 0, 1, 1, 0, 1, 0, 0});
    CHECK(figures.class_accuracy == std::vector<double>{1, 0.5, 0});
    const auto log_sum = std::log(std::exp(2.0) + std::exp(1.0) + 1), other = std::log(2 + std::exp(5.0));
    CHECK(figures.loss == Approx((3 * log_sum - 3 + other - 5) / 4).epsilon(1e-12));
  }

  TEST_CASE("a class without samples has no accuracy") {
    scores found(3, 1);
    found.add(std::array{1.0f, 0.0f, 0.0f}, 0);
    const auto figures = found.figures();
    CHECK(figures.class_accuracy[0] == 1);
    CHECK(std::isnan(figures.class_accuracy[1]));
    CHECK(std::isnan(figures.class_accuracy[2]));
  }

  TEST_CASE("without samples nothing is claimed") {
    const auto figures = scores(2, 5).figures();
    CHECK(figures.num_samples == 0);
    CHECK(std::isnan(figures.loss));
    CHECK(std::isnan(figures.top1));
    CHECK(figures.k == 2);
  }

  TEST_CASE("k is cut to the number of classes, and then every sample is in it") {
    scores found(2, 5);
    found.add(std::array{9.0f, -9.0f}, 1);
    CHECK(found.figures().topk == 1);
    CHECK(found.figures().top1 == 0);
  }

  TEST_CASE("among equal logits the lower class ranks first") {
    scores found(3, 2);
    found.add(std::array{1.0f, 1.0f, 1.0f}, 0);
    found.add(std::array{1.0f, 1.0f, 1.0f}, 2);
    const auto figures = found.figures();
    CHECK(figures.top1 == 0.5);
    CHECK(figures.topk == 0.5);
    CHECK(figures.confusion == std::vector<std::uint64_t>{1, 0, 0, 0, 0, 0, 1, 0, 0});
  }

  TEST_CASE("huge logits do not overflow, and NaN shows in the loss") {
    scores found(2, 1);
    found.add(std::array{3e38f, -3e38f}, 0);
    CHECK(found.figures().loss == 0);
    found.add(std::array{0.0f, std::numeric_limits<float>::quiet_NaN()}, 0);
    CHECK(std::isnan(found.figures().loss));
    CHECK(found.figures().confusion == std::vector<std::uint64_t>{1, 1, 0, 0});
  }
}
