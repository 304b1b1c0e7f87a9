#include "app/data_report/image_statistics.hpp"

#include "app/data_report/copies.hpp"
#include "tests/app/data_report/memory_dataset.hpp"

#include <cmath>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// The survey of a set whose images are known.
sample_survey of(std::vector<image_facts> images) {
  sample_survey out;
  for (const auto& image : images)
    out.samples.push_back({image, 10, 1, true});
  return out;
}

memory_dataset named(const std::vector<std::string>& names) {
  std::vector<memory_file> files;
  for (const auto& name : names)
    files.push_back({name, "x"});
  return memory_dataset(std::move(files));
}

image_facts image(std::uint32_t width, std::uint32_t height, image_format format = image_format::jpeg) {
  return {.format = format, .channels = 3, .width = width, .height = height};
}

sample_survey bytes_of_all(const memory_dataset& data) {
  sample_survey out;
  for (std::uint64_t id = 0; id < data.num_samples(); ++id)
    out.samples.push_back({{}, data.encoded_bytes(id), 1, true}); // All checksums collide.
  return out;
}

} // namespace

TEST_SUITE_BEGIN("app/data_report");

TEST_CASE("sizes are ordered by area, and the most frequent come first") {
  const auto data = named({"a", "b", "c", "d", "e"});
  const auto out = sum_up_images(data, of({image(30, 40), image(10, 10), image(40, 30), image(40, 30), image(5, 100)}));
  CHECK(out.num_samples == 5);
  CHECK(out.smallest == image_size{10, 10});
  CHECK(out.median == image_size{30, 40});
  CHECK(out.largest == image_size{40, 30});
  CHECK(out.num_sizes == 4);
  REQUIRE(out.frequent.size() == 4);
  CHECK(out.frequent[0].size == image_size{40, 30});
  CHECK(out.frequent[0].num_samples == 2);
}

TEST_CASE("bad samples count nowhere") {
  const auto data = named({"a.jpg", "b.png"});
  auto survey = of({image(30, 40), image(10, 10)});
  survey.samples[1].good = false;
  const auto out = sum_up_images(data, survey);
  CHECK(out.num_samples == 1);
  CHECK(out.smallest == image_size{30, 40});
  CHECK(out.num_misnamed == 0);
}

TEST_CASE("formats count by content, and names that promise another one are told") {
  const auto data = named({"a.JPG", "b.jpg", "c.png", "d", "e.gif"});
  const auto png = image(1, 1, image_format::png);
  const auto out = sum_up_images(data, of({image(1, 1), png, png, png, png}));
  REQUIRE(out.formats.size() == 2);
  CHECK(out.formats[0].name == "PNG");
  CHECK(out.formats[0].num_samples == 4);
  CHECK(out.formats[1].name == "JPEG");
  CHECK(out.num_misnamed == 1);
  CHECK(out.misnamed_example == "b.jpg (PNG)");
}

TEST_CASE("what is unusual of an image is counted") {
  const auto data = named({"a", "b", "c", "d", "e"});
  const auto out = sum_up_images(data, of({{.format = image_format::jpeg, .channels = 4},
                                           {.format = image_format::png, .channels = 4, .bits = 16},
                                           {.format = image_format::png, .channels = 2},
                                           {.format = image_format::jpeg, .channels = 1},
                                           {.format = image_format::jpeg, .channels = 3, .orientation = 6}}));
  CHECK(out.num_cmyk == 1);
  CHECK(out.num_alpha == 2);
  CHECK(out.num_single_channel == 2);
  CHECK(out.num_deep == 1);
  CHECK(out.num_turned == 1);
}

TEST_CASE("mean and std are those of all pixels where images are of one size") {
  // One channel, pixels 0.1 0.3 | 0.5 0.7: the mean is 0.4, the variance 0.05.
  const std::vector<pixel_moments> moments = {{1, {0.2}, {(0.01 + 0.09) / 2}}, {}, {1, {0.6}, {(0.25 + 0.49) / 2}}};
  const auto out = sum_up_channels(moments);
  REQUIRE(out.mean.size() == 1);
  CHECK(out.mean[0] == doctest::Approx(0.4));
  CHECK(out.std[0] == doctest::Approx(std::sqrt(0.05)));
  CHECK(sum_up_channels({}).mean.empty());
}

TEST_CASE("copies are found within a set and across sets, by their bytes") {
  const memory_dataset training({{"a", "same"}, {"b", "else"}, {"c", "same"}, {"d", "longer"}});
  const memory_dataset validation({{"x", "longer"}, {"y", "same"}, {"z", "othr"}});
  const auto one = bytes_of_all(training), two = bytes_of_all(validation);
  for (const int num_threads : {1, 4}) {
    const auto groups = find_copies({{&training, &one}, {&validation, &two}}, {num_threads, {}});
    REQUIRE(groups.size() == 2);
    CHECK(groups[0] == copy_group{{0, 0}, {0, 2}, {1, 1}});
    CHECK(groups[1] == copy_group{{0, 3}, {1, 0}});
  }
}

TEST_CASE("samples that could not be read are no copies of each other") {
  const memory_dataset data(std::vector<memory_file>{{"a", ""}, {"b", ""}});
  const auto survey = bytes_of_all(data);
  CHECK(find_copies({{&data, &survey}}, {1, {}}).empty());
}

TEST_SUITE_END();
