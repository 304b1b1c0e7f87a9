#include "actors/saver/checkpoint_state.hpp"

#include "tests/actors/saver/fixtures.hpp"

#include <cmath>
#include <functional>
#include <limits>
#include <string>

#include <nlohmann/json.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using nlohmann::json;

namespace {

std::string json_of(const snapshot& state, const std::map<std::string, std::string>& notes = {}) {
  auto text = to_json(state, notes);
  REQUIRE(text);
  return *text;
}

void check_refused(const std::function<void(json&)>& change) {
  auto x = json::parse(json_of(snapshot_at(100, 1), {{"a", "b"}}));
  change(x);
  auto state = parse_state(x.dump());
  REQUIRE_FALSE(state);
  CHECK(state.error().code == ec::corrupt);
}

} // namespace

TEST_SUITE_BEGIN("actors/saver/checkpoint_state");

TEST_CASE("everything but the tensors comes back") {
  auto before = snapshot_at(250, 3);
  before.next = {~0ull, 7};
  before.optimizer_counters["low"] = INT64_MIN;
  before.sums = {{"a", 1.0 / 3}, {"b", -0.0}, {"c", 9007199254740991.0}};
  const std::map<std::string, std::string> notes{{"fingerprint", "\u00e4\n\""}, {"", ""}};
  auto after = parse_state(json_of(before, notes));
  REQUIRE(after);
  CHECK(after->counters.tag == before.tag);
  CHECK(after->counters.has_training_state);
  CHECK(after->counters.next == before.next);
  CHECK(after->counters.batches_trained == before.batches_trained);
  CHECK(after->counters.samples_trained == before.samples_trained);
  CHECK(after->counters.samples_skipped == before.samples_skipped);
  CHECK(after->counters.optimizer_counters == before.optimizer_counters);
  CHECK(after->counters.sums == before.sums);
  CHECK(std::signbit(after->counters.sums["b"]));
  CHECK(after->weights == std::vector<std::string>{"fc.weight", "fc.bias", "bn.num_batches_tracked"});
  CHECK(after->optimizer_state == std::vector<std::string>{"momentum_buffer.fc.weight", "momentum_buffer.fc.bias"});
  CHECK(after->attachments.empty());
  CHECK(after->notes == notes);
}

TEST_CASE("the names of attachments come back in their order") {
  const auto before = with_attachments(snapshot_at(1, 1));
  const auto after = parse_state(json_of(before));
  REQUIRE(after);
  REQUIRE(after->attachments.size() == before.attachments.size());
  for (std::size_t i = 0; i < before.attachments.size(); ++i)
    CHECK(after->attachments[i] == before.attachments[i].name);
}

TEST_CASE("sums that are no numbers come back as what they are") {
  auto before = snapshot_at(1, 1);
  before.sums = {{"i", -std::numeric_limits<double>::infinity()}, {"n", std::numeric_limits<double>::quiet_NaN()}};
  auto after = parse_state(json_of(before));
  REQUIRE(after);
  CHECK(after->counters.sums["i"] == -std::numeric_limits<double>::infinity());
  CHECK(std::isnan(after->counters.sums["n"]));
}

TEST_CASE("without training state no optimizer tensors are listed") {
  auto before = snapshot_at(1, 1);
  before.has_training_state = false;
  auto after = parse_state(json_of(before));
  REQUIRE(after);
  CHECK_FALSE(after->counters.has_training_state);
  CHECK(after->optimizer_state.empty());
}

TEST_CASE("a text that is not UTF-8 is refused") {
  for (auto& notes : {std::map<std::string, std::string>{{"k", "\xff"}}, {{"\xff", "v"}}}) {
    auto text = to_json(snapshot_at(1, 1), notes);
    REQUIRE_FALSE(text);
    CHECK(text.error().code == ec::mismatch);
  }
}

TEST_CASE("a state cut short is corrupt") {
  auto text = json_of(snapshot_at(1, 1));
  for (std::size_t length = 0; length + 1 < text.size(); length += 3)
    CHECK_FALSE(parse_state(std::string_view{text}.substr(0, length)));
}

TEST_CASE("a missing member is corrupt") {
  const auto whole = json::parse(json_of(snapshot_at(1, 1)));
  for (auto& [key, value] : whole.items())
    check_refused([&](json& x) { x.erase(key); });
}

TEST_CASE("a member of another type is corrupt") {
  for (auto key : {"batches_trained", "samples_trained", "samples_skipped"})
    for (auto& value : {json(-1), json(0.5), json("1"), json(nullptr)})
      check_refused([&](json& x) { x[key] = value; });
  check_refused([](json& x) { x["has_training_state"] = "yes"; });
  check_refused([](json& x) { x["next"] = 3; });
  check_refused([](json& x) { x["next"]["batch"] = -3; });
  check_refused([](json& x) { x["sums"]["a"] = 0.5; });
  check_refused([](json& x) { x["sums"]["a"] = "0.5 "; });
  check_refused([](json& x) { x["optimizer_counters"]["a"] = 0.5; });
  check_refused([](json& x) { x["optimizer_counters"]["a"] = "1"; });
  check_refused([](json& x) { x["weights"] = json::array({1}); });
  check_refused([](json& x) { x["weights"] = "a"; });
  check_refused([](json& x) { x["notes"]["a"] = 1; });
  check_refused([](json& x) { x = json::array(); });
}

TEST_SUITE_END();
