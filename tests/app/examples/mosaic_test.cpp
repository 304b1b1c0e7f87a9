#include "actors/plugin/testing.hpp"

#include <set>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const image_shape shape{1, 20, 30};
const settings always{{"probability", 1}};

struct fixture {
  plugin mine = this_plugin();
  const augmenter_kind& mosaic = offered(mine.actors.augmenters, "mosaic");
};

/// Share of the slot's pixels that are those of plain sample `value`.
double share_of(const filled_slot& slot, std::uint8_t value) {
  const auto count = std::count(slot.pixels.begin(), slot.pixels.end(), static_cast<float>(value) / 255);
  return static_cast<double>(count) / static_cast<double>(slot.pixels.size());
}

const std::vector<std::uint8_t> greys{10, 20, 30, 40, 50, 60, 70, 80, 90, 100, 110, 120};

} // namespace

TEST_SUITE_BEGIN("app/examples");

TEST_CASE_FIXTURE(fixture, "with probability 0 all samples are as they would be without it, and nobody is asked") {
  const auto bench = bench_of(noise_samples(10, shape));
  const auto result = bench.run(mosaic, {{"probability", 0}});
  for (const auto& request : result.wanted)
    CHECK(request.ids.empty());
  for (std::size_t i = 0; i < 10; ++i) {
    REQUIRE(result.slots[i].bad == "");
    CHECK(result.slots[i].id == i);
    CHECK(result.slots[i].pixels[0] == static_cast<float>(bench.data[i].bytes[0]) / 255);
    CHECK(result.slots[i].pixels[599] == static_cast<float>(bench.data[i].bytes[599]) / 255);
  }
}

TEST_CASE_FIXTURE(fixture, "the sample itself has at least half of the picture, and its label and id stay") {
  const auto result = bench_of(plain_samples(greys, shape)).run(mosaic, always);
  for (std::size_t i = 0; i < greys.size(); ++i) {
    CHECK(result.slots[i].id == i);
    CHECK(result.slots[i].label == static_cast<std::int64_t>(i));
    CHECK(share_of(result.slots[i], greys[i]) >= 0.5);
  }
}

TEST_CASE_FIXTURE(fixture, "all the rest are its three partners") {
  const auto result = bench_of(plain_samples(greys, shape)).run(mosaic, always);
  std::set<std::size_t> num_colours;
  for (std::size_t i = 0; i < greys.size(); ++i) {
    double total = 0;
    const std::set<float> colours(result.slots[i].pixels.begin(), result.slots[i].pixels.end());
    for (const auto grey : greys)
      total += share_of(result.slots[i], grey);
    CHECK(total == doctest::Approx(1));
    num_colours.insert(colours.size());
  }
  CHECK(*num_colours.rbegin() == 4);
}

TEST_CASE_FIXTURE(fixture, "the probability is the share of mosaics") {
  const auto bench = bench_of(noise_samples(400, {1, 2, 2}));
  const auto result = bench.run(mosaic, {{"probability", 0.25}});
  std::size_t num_wanted = 0;
  for (const auto& request : result.wanted)
    num_wanted += request.ids.size();
  CHECK(static_cast<double>(num_wanted) / 3 == doctest::Approx(100).epsilon(0.3));
}

TEST_CASE_FIXTURE(fixture, "batches are the same with any number of them") {
  CHECK(same_with_any_number(bench_of(noise_samples(30, shape)), mosaic));
}

TEST_CASE_FIXTURE(fixture, "chunks of another size change nothing; seeds and epochs do") {
  auto bench = bench_of(noise_samples(12, shape));
  const auto once = bench.run(mosaic, always);
  bench.chunk_size = 3;
  CHECK(bench.run(mosaic, always).slots == once.slots);
  bench.epoch = 1;
  CHECK(bench.run(mosaic, always).slots != once.slots);
  bench.epoch = 0;
  bench.seed = 2;
  CHECK(bench.run(mosaic, always).slots != once.slots);
}

TEST_CASE_FIXTURE(fixture, "without any readable partner the sample stays as it is; unreadable samples are bad") {
  auto samples = plain_samples({10}, shape);
  for (std::uint64_t id = 1; id < 50; ++id)
    samples.push_back(unreadable_sample(id));
  const auto result = bench_of(samples).run(mosaic, always);
  CHECK(share_of(result.slots[0], 10) == 1);
  for (std::size_t i = 1; i < 50; ++i)
    CHECK(result.slots[i].bad == "cannot be read");
  CHECK(result.failures.empty());
  CHECK(result.num_dropped == 0);
  CHECK(result.num_lost == 0);
}

TEST_CASE_FIXTURE(fixture, "a sample that cannot be made is bad, and its neighbours are not") {
  auto samples = plain_samples(greys, shape);
  samples[1].bytes = samples[1].bytes.first(7);
  const auto result = bench_of(samples).run(mosaic, always);
  CHECK(result.slots[1].bad == "has 7 bytes, expected 600");
  CHECK(result.slots[0].bad == "");
  CHECK(result.slots[2].bad == "");
}

TEST_CASE_FIXTURE(fixture, "colours, channels last and short floats are filled, too; so is a picture of one pixel") {
  auto bench = bench_of(noise_samples(6, {3, 8, 8}));
  const auto planes = bench.run(mosaic, always);
  bench.channels_last = true;
  const auto interleaved = bench.run(mosaic, always);
  CHECK(planes.slots[0].pixels[64] == interleaved.slots[0].pixels[1]);
  bench.type = pixel_type::bfloat16;
  CHECK(bench.run(mosaic, always).slots[0].pixels[1] == doctest::Approx(interleaved.slots[0].pixels[1]).epsilon(0.01));
  CHECK(bench_of(plain_samples({10, 20}, {1, 1, 1})).run(mosaic, always).slots[1].bad == "");
}

TEST_SUITE_END();
