#include "actors/augmenter/fill_slice.hpp"
#include "actors/support/imaging/pixel_hash.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"

#include <cstring>
#include <opencv2/core.hpp>
#include <string>
#include <utility>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

constexpr std::uint32_t side = 8;
constexpr std::uint32_t num_slots = 5;

std::vector<int> grey_pixels(std::uint64_t id) {
  return std::vector<int>(side * side, static_cast<int>(id));
}

encoded_sample grey(std::uint64_t id) {
  return raw_sample(id, 1, side, side, grey_pixels(id));
}

std::uint64_t hash_of(std::uint64_t id) {
  return pixel_hash(cv::Mat(side, side, CV_8UC1, cv::Scalar::all(static_cast<double>(id))));
}

/// Writes down all calls: "begins 20", "made 20".
class diary final : public sample_observer {
public:
  explicit diary(bool hashes) : hashes_(hashes) {}

  [[nodiscard]] bool wants_hash() const override { return hashes_; }
  void begins(std::uint64_t id) override { calls.push_back("begins " + std::to_string(id)); }
  void made(const made_sample& sample) override {
    calls.push_back("made " + std::to_string(sample.id));
    samples.push_back(sample);
  }

  std::vector<std::string> calls;
  std::vector<made_sample> samples;

private:
  bool hashes_;
};

/// A batch of five slots, of which the slice has the third and the fourth.
struct stage {
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_layout layout{num_slots, 1, side, side, false};
  std::shared_ptr<std::byte> memory{new std::byte[num_slots * layout.bytes_per_sample()]{},
                                    std::default_delete<std::byte[]>{}};
  std::vector<batch_slice> slices = batch_buffer(home, layout, memory).split(batch_of(num_slots), 2);
  transform_pipeline transforms = std::move(*transform_pipeline::make({}, {1, side, side}));
  encoded_chunk chunk;

  stage() {
    chunk.first_slot = 2;
    chunk.samples = {grey(20), grey(21)};
  }
  ~stage() { home->close(); }

  static batch_ref batch_of(std::uint32_t num_samples) {
    batch_ref ref;
    ref.num_samples = num_samples;
    return ref;
  }

  slice_outcome fill(sample_observer* observer) { return fill_slice(transforms, 1, chunk, slices[1], observer); }

  [[nodiscard]] float first_value(std::uint32_t i) const {
    float value = 0;
    std::memcpy(&value, slices[1].pixels(i), sizeof value);
    return value;
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/augmenter");

TEST_CASE_FIXTURE(stage, "an observer is told of each sample before and after it") {
  diary seen(true);
  CHECK(fill(&seen).bad.empty());
  CHECK(seen.calls == std::vector<std::string>{"begins 20", "made 20", "begins 21", "made 21"});
  REQUIRE(seen.samples.size() == 2);
  CHECK(seen.samples[0] == made_sample{20, 2, hash_of(20), side * side, false});
  CHECK(seen.samples[1] == made_sample{21, 3, hash_of(21), side * side, false});
}

TEST_CASE_FIXTURE(stage, "no hash is made for an observer that wants none") {
  diary seen(false);
  CHECK(fill(&seen).bad.empty());
  REQUIRE(seen.samples.size() == 2);
  CHECK(seen.samples[0] == made_sample{20, 2, 0, side * side, false});
}

TEST_CASE_FIXTURE(stage, "a bad sample is told as bad, without a hash, and those after it follow") {
  chunk.samples[0] = raw_sample(20, 1, side, side, {1, 2, 3});
  diary seen(true);
  const auto outcome = fill(&seen);
  REQUIRE(outcome.bad.size() == 1);
  CHECK(outcome.bad[0].id == 20);
  CHECK(seen.calls == std::vector<std::string>{"begins 20", "made 20", "begins 21", "made 21"});
  CHECK(seen.samples[0] == made_sample{20, 2, 0, 3, true});
  CHECK(seen.samples[1] == made_sample{21, 3, hash_of(21), side * side, false});
}

TEST_CASE_FIXTURE(stage, "a sample that could not be read is neither begun nor made") {
  chunk.samples[0] = {};
  chunk.unreadable.push_back({.id = 20, .slot = 2, .name = "images[20]", .reason = "gone"});
  diary seen(true);
  const auto outcome = fill(&seen);
  REQUIRE(outcome.bad.size() == 1);
  CHECK(outcome.bad[0].reason == "gone");
  CHECK(seen.calls == std::vector<std::string>{"begins 21", "made 21"});
}

TEST_CASE_FIXTURE(stage, "the slice is the same whether somebody looks on or not") {
  chunk.samples[1] = raw_sample(21, 1, side, side, {1, 2, 3});
  diary seen(true);
  const auto watched = fill(&seen);
  const std::vector<std::byte> pixels(slices[1].pixels(0), slices[1].pixels(0) + 2 * layout.bytes_per_sample());
  std::memset(slices[1].pixels(0), 0, 2 * layout.bytes_per_sample());
  const auto alone = fill(nullptr);
  CHECK(std::memcmp(slices[1].pixels(0), pixels.data(), pixels.size()) == 0);
  CHECK(first_value(0) == doctest::Approx(20.0 / 255));
  REQUIRE(watched.bad.size() == 1);
  REQUIRE(alone.bad.size() == 1);
  CHECK(watched.bad[0].reason == alone.bad[0].reason);
}

TEST_CASE_FIXTURE(stage, "bad samples are in slot order, whoever found them") {
  chunk.samples[0] = raw_sample(20, 1, side, side, {1, 2, 3});
  chunk.samples[1] = {};
  chunk.unreadable.push_back({.id = 21, .slot = 3, .name = "images[21]", .reason = "gone"});
  const auto outcome = fill(nullptr);
  REQUIRE(outcome.bad.size() == 2);
  CHECK(outcome.bad[0].slot == 2);
  CHECK(outcome.bad[1].slot == 3);
}

TEST_SUITE_END();
