#include "actors/loader/sampler.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <map>
#include <random>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

using weights = std::vector<float>;

std::vector<std::uint32_t> order_of(const weights& x, std::uint64_t seed = 1, std::uint64_t epoch = 0) {
  return weighted_order(x.size(), x, seed, epoch);
}

/// How often each id was drawn.
std::vector<std::uint64_t> counts_in(const std::vector<std::uint32_t>& order, std::size_t num_samples) {
  std::vector<std::uint64_t> out(num_samples);
  for (const auto id : order)
    ++out.at(id);
  return out;
}

/// Draws that a sample is to have on average, by id.
std::vector<double> expected_counts(const weights& x) {
  long double sum = 0;
  for (const auto weight : x)
    sum += weight;
  std::vector<double> out;
  for (const auto weight : x)
    out.push_back(static_cast<double>(static_cast<long double>(x.size()) * weight / sum));
  return out;
}

/// Weights over `decades` powers of ten.
weights random_weights(std::size_t num_samples, double decades, std::uint64_t seed) {
  std::mt19937_64 engine(seed);
  weights out;
  for (std::size_t i = 0; i < num_samples; ++i)
    out.push_back(static_cast<float>(std::pow(10, decades * std::uniform_real_distribution<>(-0.5, 0.5)(engine))));
  return out;
}

void check_counts(const weights& x, std::uint64_t seed, std::uint64_t epoch) {
  const auto order = order_of(x, seed, epoch);
  REQUIRE(order.size() == x.size());
  const auto counts = counts_in(order, x.size());
  const auto wanted = expected_counts(x);
  // Whole weights are as exact as the sum of 63 bits allows: that may carry a number over a whole one.
  const double slack = static_cast<double>(x.size()) * 1e-9;
  for (std::size_t i = 0; i < x.size(); ++i) {
    CAPTURE(i);
    REQUIRE(static_cast<double>(counts[i]) >= std::floor(wanted[i] - slack));
    REQUIRE(static_cast<double>(counts[i]) <= std::ceil(wanted[i] + slack));
  }
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE("an epoch has as many draws as samples, each sample its share of them, rounded down or up") {
  for (const std::size_t num_samples : {1u, 2u, 3u, 7u, 100u, 1000u})
    for (const double decades : {0.0, 0.3, 2.0, 12.0})
      for (std::uint64_t seed = 0; seed < 10; ++seed) {
        CAPTURE(num_samples);
        CAPTURE(decades);
        CAPTURE(seed);
        check_counts(random_weights(num_samples, decades, seed), seed, seed % 3);
      }
  check_counts(random_weights(200'000, 3, 1), 5, 7);
}

TEST_CASE("weights as far apart as floats can be are drawn by") {
  const float tiny = std::numeric_limits<float>::denorm_min();
  const float huge = std::numeric_limits<float>::max();
  CHECK(counts_in(order_of({tiny, huge, tiny}), 3) == std::vector<std::uint64_t>{0, 3, 0});
  CHECK(counts_in(order_of({tiny, tiny, tiny}), 3) == std::vector<std::uint64_t>{1, 1, 1});
  CHECK(counts_in(order_of({huge, huge}), 2) == std::vector<std::uint64_t>{1, 1});
  CHECK(order_of({0.3f}) == std::vector<std::uint32_t>{0});
  CHECK(order_of({}).empty());
}

TEST_CASE("equal weights, whatever they are, are as good as none") {
  for (const float weight : {1.f, 0.1f, 1e-40f, 3e38f, 7.f / 3})
    for (const std::size_t num_samples : {1u, 2u, 3u, 10u, 999u, 100'000u}) {
      CAPTURE(weight);
      CAPTURE(num_samples);
      CHECK(order_of(weights(num_samples, weight), 4, 2) == permutation(num_samples, 4, 2));
    }
}

TEST_CASE("weights that are whole multiples give whole counts in every epoch") {
  const weights x{1, 3, 1, 3, 2}; // Of 10, in 5 draws: 0.5, 1.5, 0.5, 1.5 and 1.
  for (std::uint64_t epoch = 0; epoch < 200; ++epoch)
    CHECK(counts_in(order_of(x, 1, epoch), 5)[4] == 1);
}

TEST_CASE("over many epochs every sample is drawn as often as its weight says") {
  const weights x{0.1f, 0.2f, 0.7f, 1.5f, 2.5f};
  std::vector<std::uint64_t> sums(5);
  constexpr int num_epochs = 20'000;
  for (std::uint64_t epoch = 0; epoch < num_epochs; ++epoch)
    for (const auto id : order_of(x, 9, epoch))
      ++sums[id];
  const auto wanted = expected_counts(x);
  for (std::size_t i = 0; i < 5; ++i)
    CHECK(static_cast<double>(sums[i]) / num_epochs == doctest::Approx(wanted[i]).epsilon(0.02));
}

TEST_CASE("draws come in all orders equally often") {
  std::map<std::vector<std::uint32_t>, int> counts;
  for (std::uint64_t epoch = 0; epoch < 12'000; ++epoch)
    ++counts[order_of({1, 2, 1, 4}, 3, epoch)]; // In 4 draws: 0.5, 1, 0.5 and 2.
  CHECK(counts.size() == 24);                   // Two sets of counts, of 4! / 2! orders each.
  double chi_square = 0;
  for (const auto& [order, count] : counts)
    chi_square += (count - 500.) * (count - 500.) / 500.;
  CHECK(chi_square < 52); // 23 degrees of freedom: exceeded once in 2000 times.
}

TEST_CASE("a weighted order depends on weights, seed and epoch and on nothing else") {
  const auto x = random_weights(100, 1, 1);
  const auto order = order_of(x, 1, 0);
  CHECK(order == order_of(x, 1, 0));
  CHECK(order != order_of(x, 1, 1));
  CHECK(order != order_of(x, 2, 0));
  CHECK(order != order_of(random_weights(100, 1, 2), 1, 0));
  auto twice = x;
  for (auto& weight : twice)
    weight *= 2;
  CHECK(order == order_of(twice, 1, 0));
}

TEST_CASE("a weighted order is the one that an independent implementation gives") {
  CHECK(order_of({0.5f, 1, 2, 0.25f, 3, 1.25f, 0.1f, 0.9f}, 7, 3)
        == std::vector<std::uint32_t>{4, 7, 5, 2, 4, 1, 4, 2});
}

TEST_CASE("a plan draws by weights where it shuffles, and only there") {
  const auto x = random_weights(50, 1, 3);
  CHECK(epoch_plan::make(50, 8, false, true, 9)->order(4, x) == weighted_order(50, x, 9, 4));
  CHECK(epoch_plan::make(50, 8, false, true, 9)->order(4) == permutation(50, 9, 4));
  const auto in_order = epoch_plan::make(50, 8, false, false, 9)->order(4, x);
  CHECK(std::is_sorted(in_order.begin(), in_order.end()));
  CHECK(std::adjacent_find(in_order.begin(), in_order.end()) == in_order.end());
}

TEST_SUITE_END();
