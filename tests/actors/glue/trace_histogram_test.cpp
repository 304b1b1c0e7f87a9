#include "actors/glue/trace_histogram.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("buckets are ascending, without gaps, and at most a quarter of their floor wide") {
  for (std::size_t bucket = 0; bucket + 1 < num_time_buckets; ++bucket) {
    const auto floor = time_bucket_floor(bucket);
    const auto next = time_bucket_floor(bucket + 1);
    CAPTURE(bucket);
    REQUIRE(floor < next);
    CHECK(time_bucket(floor) == bucket);
    CHECK(time_bucket(next - 1) == bucket);
    if (floor >= 4)
      CHECK(next - floor <= floor / 4);
  }
}

TEST_CASE("times beyond all measure fall into the last bucket") {
  CHECK(time_bucket(~std::uint64_t{0}) == num_time_buckets - 1);
  CHECK(time_bucket(std::uint64_t{1} << 50) == num_time_buckets - 1);
}

TEST_CASE("quantiles are within 12.5 percent of the exact ones") {
  std::mt19937_64 engine{7};
  std::lognormal_distribution<double> times{10, 2};
  std::vector<std::uint64_t> exact;
  time_histogram histogram;
  for (int i = 0; i < 10'000; ++i) {
    const auto ns = static_cast<std::uint64_t>(times(engine));
    exact.push_back(ns);
    histogram.add(ns);
  }
  std::sort(exact.begin(), exact.end());
  for (double q : {0.01, 0.25, 0.5, 0.9, 0.99, 0.999}) {
    const auto truth = static_cast<double>(exact[static_cast<std::size_t>(std::ceil(q * 10'000)) - 1]);
    CAPTURE(q);
    CHECK(std::abs(static_cast<double>(histogram.quantile(q)) - truth) <= 0.125 * truth);
  }
  CHECK(histogram.max_ns == exact.back());
  CHECK(histogram.quantile(1) <= exact.back());
  CHECK(histogram.count() == 10'000);
}

TEST_CASE("an empty histogram has quantile 0, and one time is every quantile") {
  time_histogram histogram;
  CHECK(histogram.quantile(0.5) == 0);
  histogram.add(1'000'000);
  CHECK(histogram.quantile(0) == histogram.quantile(1));
  CHECK(histogram.quantile(0.5) <= 1'000'000);
  CHECK(histogram.quantile(0.5) >= 875'000);
}

TEST_CASE("merged histograms count as if filled in one") {
  time_histogram a;
  time_histogram b;
  time_histogram both;
  for (std::uint64_t ns : {3u, 70u, 70u, 9000u}) {
    a.add(ns);
    both.add(ns);
  }
  for (std::uint64_t ns : {5u, 123456u}) {
    b.add(ns);
    both.add(ns);
  }
  a.merge(b);
  CHECK(a.buckets == both.buckets);
  CHECK(a.sum_ns == both.sum_ns);
  CHECK(a.max_ns == both.max_ns);
}

TEST_SUITE_END();
