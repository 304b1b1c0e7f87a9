#include "app/data_report/sample_survey.hpp"

#include "app/data_report/image_statistics.hpp"
#include "tests/app/data_report/memory_dataset.hpp"

#include <stdexcept>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

transform_pipeline pipeline(const std::vector<transform_config>& list, const decode_config& decode = {}) {
  auto made = transform_pipeline::make(list, {.decode = decode});
  REQUIRE(made);
  return std::move(*made);
}

sample_survey survey(const dataset& data, int num_threads = 2, std::uint64_t limit = 1000,
                     const decode_config& decode = {}) {
  const auto transforms = pipeline({resize_config{{8, 8}}}, decode);
  return survey_samples(data, transforms, {limit, decode, true}, {num_threads, {}});
}

std::vector<memory_file> many_files() {
  std::vector<memory_file> files;
  for (unsigned i = 0; i < 200; ++i) {
    auto bytes = noisy_ppm(8 + static_cast<int>(i % 7), 9, i);
    if (i % 23 == 5)
      bytes.resize(bytes.size() - 1);
    files.push_back({"f" + std::to_string(i) + ".ppm", i % 41 == 7 ? "" : bytes, i % 2});
  }
  return files;
}

} // namespace

TEST_SUITE_BEGIN("app/data_report");

TEST_CASE("every sample is looked at, and bad ones are told with their reasons") {
  auto cut = ppm(4, 4, 1, 2, 3);
  cut.pop_back();
  const memory_dataset data({{"a.ppm", ppm(5, 7, 10, 20, 30)},
                             {"empty.ppm", ""},
                             {"cut.ppm", cut},
                             {"text.jpg", "no image"},
                             {"b.pgm", pgm(3, 2, 9)}});
  const auto found = survey(data);
  REQUIRE(found.samples.size() == 5);
  CHECK(found.samples[0].good);
  CHECK(found.samples[0].num_bytes == ppm(5, 7, 10, 20, 30).size());
  CHECK(found.samples[0].image.width == 5);
  CHECK(found.samples[0].image.height == 7);
  CHECK(found.samples[0].image.format == image_format::pnm);
  CHECK(found.samples[4].image.channels == 1);
  REQUIRE(found.bad.size() == 3);
  CHECK(found.bad[0].id == 1);
  CHECK(found.bad[0].name == "empty.ppm");
  CHECK(found.bad[0].reason == "empty file, expected an image");
  CHECK(found.bad[1].name == "cut.ppm");
  CHECK(found.bad[2].name == "text.jpg");
  CHECK(found.bad[2].reason.starts_with("content starts with the bytes"));
}

TEST_CASE("the limits of the config count") {
  const memory_dataset data({{"small.ppm", ppm(4, 4, 1, 2, 3)}, {"large.ppm", ppm(5, 5, 1, 2, 3)}});
  const auto found = survey(data, 1, 1000, {.max_pixels = 20});
  REQUIRE(found.bad.size() == 1);
  CHECK(found.bad[0].name == "large.ppm");
  CHECK(found.bad[0].reason.find("5x5") != std::string::npos);
}

TEST_CASE("an image that the transforms refuse for its size is bad") {
  const memory_dataset data(
    {{"long.ppm", noisy_ppm(3000, 1, 1)}, {"good.ppm", noisy_ppm(20, 20, 1)}, {"as_long.ppm", noisy_ppm(3000, 1, 2)}});
  const auto transforms = pipeline({resize_config{{30}}, center_crop_config{{8}}});
  const auto found = survey_samples(data, transforms, {3, {}, true}, {2, {}});
  REQUIRE(found.bad.size() == 2);
  CHECK(found.bad[0].name == "long.ppm");
  CHECK(found.bad[1].name == "as_long.ppm");
  CHECK(found.bad[0].reason.starts_with("image of 1 x 3000"));
  CHECK_FALSE(found.samples[0].good);
  CHECK(found.moments[0].channels == 0);
  CHECK(found.samples[1].good);
}

TEST_CASE("the result does not depend on the number of threads") {
  const memory_dataset data(many_files());
  const auto one = survey(data, 1);
  CHECK(one.bad.size() > 10);
  for (const int num_threads : {2, 7}) {
    const auto other = survey(data, num_threads);
    REQUIRE(other.bad.size() == one.bad.size());
    for (std::size_t i = 0; i < one.bad.size(); ++i) {
      CHECK(other.bad[i].id == one.bad[i].id);
      CHECK(other.bad[i].reason == one.bad[i].reason);
    }
    for (std::size_t i = 0; i < one.samples.size(); ++i)
      CHECK(other.samples[i].checksum == one.samples[i].checksum);
    CHECK(sum_up_channels(other.moments).mean == sum_up_channels(one.moments).mean);
    CHECK(sum_up_channels(other.moments).std == sum_up_channels(one.moments).std);
  }
}

TEST_CASE("the bad samples are those that the training pipeline cannot make") {
  const memory_dataset data(many_files());
  const auto found = survey(data);
  const auto transforms = pipeline({resize_config{{8, 8}}});
  std::vector<float> numbers(3 * 8 * 8);
  std::vector<std::uint64_t> told, failing;
  for (const auto& each : found.bad)
    told.push_back(each.id);
  for (std::uint64_t id = 0; id < data.num_samples(); ++id) {
    const auto sample = data.read(id);
    if (!sample || !transforms.apply(*sample, 1, 0, {.pixels = numbers.data()}))
      failing.push_back(id);
  }
  CHECK(told == failing);
}

TEST_CASE("a limit keeps to the first samples") {
  const memory_dataset data(many_files());
  const auto found = survey(data, 2, 10);
  CHECK(found.samples.size() == 10);
  REQUIRE(found.bad.size() == 2);
  CHECK(found.bad[0].id == 5);
  CHECK(found.bad[1].id == 7);
}

TEST_CASE("all ids are done once, and the caller hears of it") {
  std::vector<int> times(1000);
  std::uint64_t last = 0;
  bool rises = true;
  const work_force force{3, [&](std::uint64_t done) {
                           rises = rises && done > last && done <= 1000;
                           last = done;
                         }};
  on_all_cores(1000, force, [&] { return [&](std::uint64_t id) { ++times[id]; }; });
  CHECK(times == std::vector<int>(1000, 1));
  CHECK(rises);
}

TEST_CASE("exceptions of jobs come out") {
  const auto make_job = [] {
    return [](std::uint64_t id) {
      if (id == 77)
        throw std::runtime_error("77");
    };
  };
  CHECK_THROWS_AS(on_all_cores(100, {3, {}}, make_job), std::runtime_error);
}

TEST_SUITE_END();
