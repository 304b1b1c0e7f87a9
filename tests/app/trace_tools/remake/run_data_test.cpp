#include "app/trace_tools/remake/run_data.hpp"

#include "app/trace_tools/remake/data_place.hpp"
#include "app/trace_tools/remake/selector.hpp"
#include "tests/app/trace_tools/remake/made_run.hpp"
#include "tests/app/trace_tools/remake/pictures.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_run;

TEST_SUITE_BEGIN("app/trace_tools/remake");

TEST_CASE("relative data are found where the run was started") {
  const made_run run(test::picture_config("photos"));
  test::put_pictures(run.scratch() / "photos", 3);
  const auto data = run_data::open(run.folder());
  REQUIRE_MESSAGE(data, to_string(data.error()));
  CHECK(data->set(false)->data->num_samples() == 6);
}

TEST_CASE("data that are not found are told with the places that were tried") {
  const made_run run(test::picture_config("photos"));
  const auto data = run_data::open(run.folder());
  REQUIRE_FALSE(data);
  CHECK(data.error().context.find("data.train: ") == 0);
  CHECK(data.error().context.find(run.scratch().path()) != std::string::npos);
  CHECK(data.error().context.find("the working folder") != std::string::npos);
}

TEST_CASE("the folder that a run was started in follows from run.dir") {
  const scratch_folder scratch;
  const auto root = std::filesystem::canonical(scratch.path()).string();
  std::filesystem::create_directories(root + "/a/b/run");
  const auto started = [&](const std::string& dir) {
    run_section run;
    run.dir = dir;
    return started_in(root + "/a/b/run", run);
  };
  CHECK(started("b") == root + "/a");
  CHECK(started("a/b/") == root);
  CHECK(started("./a/./b") == root);
  CHECK(started(".") == root + "/a/b");
  CHECK(started("other") == std::nullopt);
  CHECK(started("../b") == std::nullopt);
  CHECK(started(root + "/a/b") == std::nullopt);
}

TEST_CASE("a missing validation set hinders nobody who does not ask for it") {
  const made_run run(
    "data: {train: {dataset: synthetic, size: 20, shape: [1, 8, 8], num_classes: 2}, validation: "
    "{dataset: image_folder, root: /no/such/folder}}, transforms: {validation: [{resize: {size: [8, 8]}}]}");
  const auto data = run_data::open(run.folder());
  REQUIRE_MESSAGE(data, to_string(data.error()));
  CHECK(data->remake(false, 3, 0).problem.empty());
  CHECK(data->set(true) == nullptr);
  CHECK(data->remake(true, 3, 0).problem.find("/no/such/folder") != std::string::npos);
}

TEST_CASE("a sample is made again with its picture and what was drawn") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 3);
  put_file(pictures / "data/dog/01.ppm", "P6 no");
  const made_run run(test::picture_config(pictures / "data"));
  const auto data = run_data::open(run.folder());
  REQUIRE_MESSAGE(data, to_string(data.error()));
  const auto good = data->remake(false, 1, 4);
  CHECK(good.name.ends_with("cat/01.ppm"));
  CHECK(good.label == "cat");
  CHECK(good.rgb.size() == 3 * 8 * 8);
  CHECK(good.notes.size() == 3);
  CHECK(good.pixel_hash != 0);
  CHECK(good.pixel_hash == data->remake(false, 1, 4).pixel_hash);
  CHECK(good.pixel_hash != data->remake(false, 1, 5).pixel_hash);
  CHECK_FALSE(good.same());
  const auto bad = data->remake(false, 4, 0);
  CHECK(bad.name.ends_with("dog/01.ppm"));
  CHECK(bad.rgb.empty());
  CHECK_FALSE(bad.problem.empty());
  CHECK(data->remake(false, 6, 0).problem.find("6 samples") != std::string::npos);
}

TEST_CASE("what is made agrees with a run whose cache shrinks pictures first") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 3);
  const auto hash = [&](const std::string& cache) {
    const made_run run("data: {train: {dataset: image_folder, root: " + pictures / "data" + "}, cache: " + cache
                       + "}, transforms: {train: [{resize: {size: [4, 4]}}]}");
    const auto data = run_data::open(run.folder());
    REQUIRE_MESSAGE(data, to_string(data.error()));
    std::uint64_t expected = 0;
    const auto& set = *data->set(false);
    std::vector<float> numbers(std::size_t{3} * 4 * 4);
    const auto sample = set.data->read(2);
    REQUIRE(sample);
    REQUIRE(set.transforms->apply(*sample, 9, 1, {.pixels = numbers.data()}, {.pixel_hash = &expected}));
    CHECK(data->remake(false, 2, 1).pixel_hash == expected);
    return expected;
  };
  CHECK(hash("{mode: none}") != hash("{mode: memory, side: 8}"));
}

TEST_CASE("samples are found by name, by its end and by file") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 3);
  const made_run run(test::picture_config(pictures / "data"));
  const auto data = run_data::open(run.folder());
  REQUIRE(data);
  CHECK(data->find(data->set(false)->data->sample_name(4)) == 4u);
  CHECK(data->find("dog/01.ppm") == 4u);
  CHECK(data->find("02.ppm") == 2u);
  CHECK(data->find(pictures / "data/cat/../dog/02.ppm") == 5u);
  CHECK(data->find("og/01.ppm") == std::nullopt);
  CHECK(data->find("") == std::nullopt);
}

TEST_CASE("a run that was resumed is opened by the config of its newest checkpoint") {
  const made_run run(
    "data: {train: {dataset: synthetic, size: 20, shape: [1, 8, 8], num_classes: 2}}, train: {epochs: 1}, "
    "pipeline: {batch_size: 10}");
  const auto has_batch = [&](std::uint64_t batch) {
    const auto data = run_data::open(run.folder());
    REQUIRE_MESSAGE(data, to_string(data.error()));
    return data->planned_batch(batch).has_value();
  };
  CHECK(has_batch(1));
  CHECK_FALSE(has_batch(2));
  std::filesystem::create_directories(run.folder() + "/checkpoints/latest");
  auto longer = bytes_of(run.folder() + "/config.yaml");
  longer.replace(longer.find("epochs: 1"), 9, "epochs: 2");
  put_file(run.folder() + "/checkpoints/latest/config.yaml", longer);
  CHECK(has_batch(2));
}

TEST_CASE("what is meant is a word, a colon and a number") {
  CHECK(*number_of("batch", "batch:17") == 17);
  for (const char* text :
       {"batch:", "batch:x", "batch:1x", "batch:-1", "step:1", "17", "", "batch:99999999999999999999"})
    CHECK_FALSE(number_of("batch", text));
  CHECK(number_of("batch", "17").error().context == "\"17\", expected batch:N with a whole number N");
}

TEST_SUITE_END();
