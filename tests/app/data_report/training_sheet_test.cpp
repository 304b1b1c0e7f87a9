#include "app/data_report/training_sheet.hpp"

#include "actors/loader/chunk_reading.hpp"
#include "actors/loader/sampler.hpp"
#include "app/config/load_config.hpp"
#include "app/data_report/data_report.hpp"
#include "tests/app/data_report/memory_dataset.hpp"

#include <cmath>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

run_config random_config(const std::string& normalize, const std::string& shape = "[1, 12, 12]") {
  auto config = parse_config("{run: {seed: 9}, data: {train: {dataset: synthetic, size: 50, shape: " + shape
                               + ", num_classes: 3}}, pipeline: {batch_size: 8}, transforms: {train: [{random_crop: "
                                 "{size: 12, padding: 3}}, {random_horizontal_flip: {p: 0.5}}"
                               + normalize + "]}}",
                             "test");
  REQUIRE_MESSAGE(config, to_string(config.error()));
  return *config;
}

opened_set open(const run_config& config) {
  auto sets = open_sets(config);
  REQUIRE_MESSAGE(sets, to_string(sets.error()));
  return sets->front();
}

} // namespace

TEST_SUITE_BEGIN("app/data_report");

TEST_CASE("the sheet shows what the loader hands out first") {
  const auto config = random_config("");
  const auto set = open(config);
  const auto ids = first_training_ids(*set.data, config, 20);
  REQUIRE(ids);
  REQUIRE(ids->size() == 20);
  auto plan = epoch_plan::make(50, 8, false, true, 9);
  REQUIRE(plan);
  chunk_maker chunks(set.data, *plan, true, nullptr);
  for (std::uint64_t batch = 0; batch < 2; ++batch) {
    const auto first = plan->batch(0, batch).first_position;
    const auto chunk = chunks.request({.epoch = 0, .position = first, .count = 8}).frame;
    for (std::size_t slot = 0; slot < 8; ++slot)
      CHECK(chunk.samples[slot].id == (*ids)[first + slot]);
  }
}

TEST_CASE("the sheet never shows more than an epoch has") {
  auto config = random_config("");
  const auto set = open(config);
  CHECK(first_training_ids(*set.data, config, 500)->size() == 50);
  config.pipeline.drop_last = true;
  CHECK(first_training_ids(*set.data, config, 500)->size() == 48);
}

TEST_CASE("tiles are the pipeline's pixels, whatever the normalisation was") {
  const auto plain = random_config("");
  const auto normalised = random_config(", {normalize: {mean: [0.3], std: [0.2]}}");
  const auto set = open(plain), other = open(normalised);
  const auto ids = *first_training_ids(*set.data, plain, 12);
  const auto tiles = make_training_tiles(*set.data, *set.transforms, plain, set.class_names, ids);
  CHECK(make_training_tiles(*other.data, *other.transforms, normalised, other.class_names, ids) == tiles);
  REQUIRE(tiles.size() == ids.size());
  std::vector<float> numbers(12 * 12);
  for (std::size_t i = 0; i < ids.size(); ++i) {
    const auto sample = set.data->read(ids[i]);
    REQUIRE(sample);
    REQUIRE(set.transforms->apply(*sample, 9, 0, {.pixels = numbers.data()}));
    REQUIRE(tiles[i].rgb.size() == 3 * numbers.size());
    bool same = true;
    for (std::size_t at = 0; at < numbers.size(); ++at)
      for (std::size_t c = 0; c < 3; ++c)
        same = same && tiles[i].rgb[3 * at + c] == std::lround(255 * numbers[at]);
    CHECK(same);
    CHECK(tiles[i].caption == std::to_string(set.data->label(ids[i])) + " " + std::to_string(ids[i]));
  }
}

TEST_CASE("colours keep their order") {
  const memory_dataset data({{"a.ppm", ppm(4, 4, 200, 100, 50), 1}});
  run_config config;
  config.transforms.train = {resize_config{{2, 2}}, normalize_config{{0.5, 0.4, 0.3}, {0.2, 0.3, 0.4}}};
  const auto transforms = transform_pipeline::make(config.transforms.train, {});
  REQUIRE(transforms);
  const auto tiles = make_training_tiles(data, *transforms, config, {"cat", "dog"}, {0});
  REQUIRE(tiles.size() == 1);
  CHECK(tiles[0].caption == "dog 0");
  CHECK(tiles[0].rgb == std::vector<unsigned char>{200, 100, 50, 200, 100, 50, 200, 100, 50, 200, 100, 50});
}

TEST_CASE("a bad sample has no picture") {
  const memory_dataset data(std::vector<memory_file>{{"a.ppm", "P6 no"}, {"b.ppm", ""}});
  run_config config;
  config.transforms.train = {resize_config{{2, 2}}};
  const auto transforms = transform_pipeline::make(config.transforms.train, {});
  REQUIRE(transforms);
  for (const auto& tile : make_training_tiles(data, *transforms, config, {"cat", "dog"}, {0, 1})) {
    CHECK(tile.rgb.empty());
    CHECK(tile.caption.starts_with("bad: cat"));
  }
}

TEST_SUITE_END();
