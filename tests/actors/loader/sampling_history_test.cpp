#include "actors/loader/sampling_history.hpp"

#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// Weights of two samples, the first of which tells versions apart.
sample_weights version(std::uint64_t number, std::uint64_t from_epoch, std::vector<float> weights = {}) {
  if (weights.empty())
    weights = {static_cast<float>(number), 1};
  return {number, from_epoch, std::make_shared<const std::vector<float>>(std::move(weights))};
}

sampling_history made(bool changes, const std::vector<sample_weights>& known = {}) {
  auto out = sampling_history::make(2, changes, known);
  REQUIRE(out);
  return *out;
}

/// The version in force; 0: none.
float version_in(const sampling_history& history, std::uint64_t epoch) {
  const auto weights = history.weights_in(epoch);
  return weights.empty() ? 0 : weights[0];
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE("where nobody changes the sampling every epoch is settled") {
  CHECK(sampling_history{}.is_settled(1'000'000));
  CHECK(sampling_history{}.weights_in(7).empty());
  const auto history = made(false, {version(1, 3)});
  CHECK(history.is_settled(1'000'000));
  CHECK(version_in(history, 2) == 0);
  CHECK(version_in(history, 3) == 1);
}

TEST_CASE("where somebody does, the first two epochs are settled, and with each that is over one more") {
  auto history = made(true);
  CHECK_FALSE(history.is_settled(0));
  history.begin_at(4);
  CHECK(history.is_settled(5));
  CHECK_FALSE(history.is_settled(6));
  REQUIRE(history.settle({4, version(1, 6)}));
  CHECK(history.is_settled(6));
  CHECK_FALSE(history.is_settled(7));
  REQUIRE(history.settle({5, std::nullopt}));
  CHECK(history.is_settled(7));
}

TEST_CASE("what is settled stays so") {
  auto history = made(true);
  REQUIRE(history.settle({9, std::nullopt}));
  REQUIRE(history.settle({3, std::nullopt}));
  history.begin_at(0);
  CHECK(history.is_settled(11));
  CHECK_FALSE(history.is_settled(12));
}

TEST_CASE("an epoch is drawn by the newest weights that are in force, whatever order they came in") {
  const auto history = made(true, {version(5, 4), version(1, 2), version(3, 4)});
  CHECK(version_in(history, 1) == 0);
  CHECK(version_in(history, 2) == 1);
  CHECK(version_in(history, 3) == 1);
  CHECK(version_in(history, 4) == 5);
  CHECK(version_in(history, 100) == 5);
}

TEST_CASE("weights are forgotten once no later epoch is drawn by them, as long as more are to come") {
  for (const bool changes : {true, false}) {
    CAPTURE(changes);
    auto history = made(changes, {version(1, 2), version(2, 5), version(3, 8)});
    history.forget_before(6);
    CHECK(version_in(history, 4) == (changes ? 0 : 1));
    CHECK(version_in(history, 6) == 2);
    CHECK(version_in(history, 8) == 3);
    history.forget_before(0);
    CHECK(version_in(history, 6) == 2);
  }
}

TEST_CASE("weights that samples cannot be drawn by are refused, with what is wrong with them") {
  const auto check_refused = [](std::vector<float> weights, const std::string& why) {
    auto bad = version(7, 3, {1});
    bad.weights = std::make_shared<const std::vector<float>>(std::move(weights));
    CAPTURE(why);
    auto history = made(true);
    const auto refused = history.settle({1, bad});
    REQUIRE_FALSE(refused);
    CHECK(refused.error().code == ec::bad_data);
    CHECK_MESSAGE(refused.error().context.find(why) != std::string::npos, refused.error().context);
    CHECK(refused.error().context.find("version 7") != std::string::npos);
    CHECK_FALSE(history.is_settled(0));
    CHECK_FALSE(sampling_history::make(2, false, {bad}));
  };
  check_refused({1, 1, 1}, "3 weights, expected one for each of the 2 samples");
  check_refused({}, "0 weights");
  check_refused({1, 0}, "sample 1 is 0.0");
  check_refused({-1, 1}, "sample 0 is -1.0");
  check_refused({1, std::numeric_limits<float>::infinity()}, "sample 1 is inf");
  check_refused({1, std::numeric_limits<float>::quiet_NaN()}, "sample 1 is nan");
  CHECK_FALSE(sampling_history::make(2, false, {{1, 0, nullptr}}));
}

TEST_CASE("weights for an epoch that may have begun are refused; those that are known already are no news") {
  auto history = made(true);
  history.begin_at(2);
  const auto late = history.settle({2, version(1, 3)});
  REQUIRE_FALSE(late);
  CHECK(late.error().code == ec::bad_data);
  CHECK(late.error().context.find("before 4 are settled") != std::string::npos);
  REQUIRE(history.settle({2, version(1, 4)}));
  CHECK(history.settle({2, version(1, 4)}));
  CHECK(version_in(history, 4) == 1);
}

TEST_SUITE_END();
