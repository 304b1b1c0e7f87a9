#include "app/data_report/data_report.hpp"

#include "app/config/load_config.hpp"
#include "app/data_report/progress_line.hpp"
#include "app/data_report/report_text.hpp"
#include "tests/app/data_report/memory_dataset.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

run_config config_for(const std::vector<std::string>& overrides = {}) {
  auto config = parse_config("{data: {train: {dataset: synthetic, size: 60, shape: [1, 8, 8], num_classes: 3}}, "
                             "transforms: {train: [{resize: {size: [8, 8]}}]}, pipeline: {augmenters: 2}}",
                             "test", overrides);
  REQUIRE_MESSAGE(config, to_string(config.error()));
  return *config;
}

opened_set in_memory(const std::string& name, std::vector<memory_file> files, const run_config& config) {
  opened_set out;
  out.name = name;
  out.source.dataset = "memory";
  out.data = std::make_shared<memory_dataset>(std::move(files));
  out.class_names = out.data->class_names();
  auto made = transform_pipeline::make(config.transforms.train, {});
  REQUIRE(made);
  out.transforms = std::make_shared<transform_pipeline>(std::move(*made));
  return out;
}

/// Two sets with a bad sample, a copy and a leak.
data_report small_report(const run_config& config, int num_threads = 2) {
  const std::vector<opened_set> sets = {
    in_memory("training",
              {{"a.ppm", ppm(8, 8, 10, 20, 30), 0}, {"b.ppm", ppm(8, 8, 10, 20, 30), 1}, {"c.ppm", "P6 no", 0}},
              config),
    in_memory("validation", {{"d.ppm", ppm(8, 8, 10, 20, 30), 0}, {"e.ppm", ppm(9, 8, 1, 2, 3), 0}}, config)};
  return report_on(sets, config, {.num_threads = num_threads, .num_cores = 2, .progress = {}});
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

} // namespace

TEST_SUITE_BEGIN("app/data_report");

TEST_CASE("a report has all that there is to say") {
  const auto report = small_report(config_for({"pipeline.bad_samples.max_share=0.5"}));
  REQUIRE(report.sets.size() == 2);
  const auto& training = report.sets[0];
  CHECK(training.num_samples == 3);
  CHECK(training.classes[0].num_samples == 2);
  CHECK(training.classes[1].num_samples == 1);
  CHECK(training.images.num_samples == 2);
  REQUIRE(training.copies.size() == 1);
  CHECK(training.copies[0].names == std::vector<std::string>{"a.ppm", "b.ppm"});
  CHECK(training.copies[0].differ_in_class);
  REQUIRE(training.bad.size() == 1);
  CHECK(training.bad[0].name == "c.ppm");
  REQUIRE(report.leaks.size() == 1);
  CHECK(report.leaks[0].training == std::vector<std::string>{"a.ppm", "b.ppm"});
  CHECK(report.leaks[0].validation == std::vector<std::string>{"d.ppm"});
  CHECK_FALSE(report.too_many_bad());
  REQUIRE(report.cost);
  CHECK(report.cost->num_measured == 2);
  CHECK(report.cost->samples_per_epoch == 3);
  CHECK(report.cost->num_augmenters == 2);
  CHECK(report.cost->seconds_per_sample > 0);
}

TEST_CASE("mean and std are those of the training images") {
  const auto report = small_report(config_for());
  CHECK(normalize_text(report.channels)
        == "normalize: {mean: [0.0392, 0.0784, 0.1176], std: [0.0000, 0.0000, 0.0000]}");
  CHECK(normalize_text({}).empty());
}

TEST_CASE("more bad samples than the config allows are too many") {
  CHECK_FALSE(small_report(config_for()).too_many_bad()); // One is always allowed.
  CHECK(small_report(config_for({"pipeline.bad_samples.max=0"})).too_many_bad());
  CHECK(small_report(config_for({"pipeline.bad_samples.policy=fail"})).too_many_bad());
}

TEST_CASE("the text names what matters") {
  const auto text = to_text(small_report(config_for()), false);
  for (const auto* part : {"training data: memory\n", "validation data: memory\n", "cat", "dog", "2.0 to 1",
                           "a.ppm = b.ppm", "(classes differ)", "c.ppm: ", "LEAKAGE: 1 validation sample is",
                           "d.ppm = a.ppm = b.ppm", "normalize: {mean: [", "images/s", "PNM 2", "without samples dog"})
    CHECK_MESSAGE(has(text, part), part << " is missing in\n" << text);
}

TEST_CASE("a long table of classes is cut, unless all of it is asked for") {
  data_report report;
  set_report set;
  for (int id = 0; id < 1234; ++id)
    set.classes.push_back({"class_" + std::to_string(id), 1000000});
  report.sets.push_back(set);
  const auto text = to_text(report, false);
  CHECK(has(text, "class_49 "));
  CHECK_FALSE(has(text, "class_50 "));
  CHECK(has(text, "... and 1,184 more"));
  CHECK(has(text, "1,000,000"));
  CHECK(has(to_text(report, true), "class_1233 "));
}

TEST_CASE("names cannot write to the terminal") {
  data_report report;
  set_report set;
  set.classes.push_back({"\x1b[2Jevil", 1});
  set.bad.push_back({0, "a\nb", "why"});
  report.sets.push_back(set);
  const auto text = to_text(report, false);
  CHECK_FALSE(has(text, "\x1b"));
  CHECK(has(text, "a?b: why"));
}

TEST_CASE("the JSON document says the same") {
  const auto document = nlohmann::json::parse(to_json(small_report(config_for())));
  const auto& training = document["sets"][0];
  CHECK(training["samples"] == 3);
  CHECK(training["classes"][1]["name"] == "dog");
  CHECK(training["images"]["formats"]["PNM"] == 2);
  CHECK(training["images"]["sizes"]["median"]["width"] == 8);
  CHECK(training["bad_samples"][0]["sample"] == "c.ppm");
  CHECK(training["copies"][0]["differ_in_class"] == true);
  CHECK(document["leaks"][0]["validation"][0] == "d.ppm");
  CHECK(document["normalize"]["mean"].size() == 3);
  CHECK(document["cost"]["samples_measured"] == 2);
}

TEST_CASE("but for times, a report does not depend on the number of threads") {
  const auto config = config_for();
  auto one = small_report(config, 1), five = small_report(config, 5);
  one.cost.reset();
  five.cost.reset();
  CHECK(to_json(one) == to_json(five));
}

TEST_CASE("sets are opened as training opens them") {
  SUBCASE("the held-out share is the validation set") {
    const auto sets = open_sets(config_for({"data.split=0.25"}));
    REQUIRE_MESSAGE(sets, to_string(sets.error()));
    REQUIRE(sets->size() == 2);
    CHECK((*sets)[0].data->num_samples() == 45);
    CHECK((*sets)[1].data->num_samples() == 15);
    CHECK((*sets)[0].class_names == std::vector<std::string>{"0", "1", "2"});
  }
  SUBCASE("one that is not there is told with its key") {
    const auto sets = open_sets(config_for({"data.train={dataset: image_folder, root: /nowhere}"}));
    REQUIRE_FALSE(sets);
    CHECK(sets.error().code != ec::bad_config);
    CHECK(has(sets.error().context, "data.train"));
  }
  SUBCASE("transforms that do not fit the data are the config's fault") {
    auto config = config_for();
    config.transforms.train = {normalize_config{{0.5, 0.5, 0.5}, {1, 1, 1}}};
    const auto sets = open_sets(config);
    REQUIRE_FALSE(sets);
    CHECK(sets.error().code == ec::bad_config);
    CHECK(has(sets.error().context, "transforms.train"));
  }
}

TEST_CASE("the progress line fills up") {
  CHECK(progress_text("training data", 0, 8) == "training data  [" + std::string(24, ' ') + "] 0/8");
  CHECK(progress_text("x", 4, 8) == "x  [" + std::string(12, '#') + std::string(12, ' ') + "] 4/8");
  CHECK(progress_text("x", 8, 8) == "x  [" + std::string(24, '#') + "] 8/8");
}

TEST_SUITE_END();
