#include "app/trace_tools/remake/shown_batch.hpp"

#include "actors/saver/checkpoint_state.hpp"
#include "tests/app/trace_tools/remake/made_run.hpp"
#include "tests/app/trace_tools/remake/pictures.hpp"

#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_process;
using test::made_run;

namespace {

/// 49 samples in batches of 8: the epoch's last batch gets a second sample from the one before.
std::string synthetic_config(const std::string& train = "epochs: 2") {
  return "data: {train: {dataset: synthetic, size: 49, shape: [1, 12, 12], num_classes: 3}}, train: {" + train
         + "}, pipeline: {batch_size: 8}, transforms: {train: [{random_crop: {size: 12, padding: 3}}, "
           "{random_horizontal_flip: {p: 0.5}}]}";
}

run_data open(const made_run& run) {
  auto out = run_data::open(run.folder());
  REQUIRE_MESSAGE(out, to_string(out.error()));
  return *out;
}

shown_batch show(const made_run& run, std::uint64_t batch) {
  const auto data = open(run);
  const auto trace = run.trace();
  auto out = show_batch({data, &trace, run.folder()}, batch);
  REQUIRE_MESSAGE(out, to_string(out.error()));
  return *out;
}

std::vector<std::uint64_t> ids_of(const shown_batch& batch) {
  std::vector<std::uint64_t> ids;
  for (const auto& sample : batch.samples)
    ids.push_back(sample.id);
  return ids;
}

void check_exact(const shown_batch& batch, const std::vector<std::uint64_t>& ids) {
  CAPTURE(batch.batch);
  CHECK(ids_of(batch) == ids);
  CHECK(batch.check.num_same == ids.size());
  CHECK(batch.check.num_checked == ids.size());
  CHECK(batch.check.differences == std::vector<std::string>{});
}

std::string text_of(const shown_batch& batch) {
  std::ostringstream out;
  print_text(batch, out);
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Records two epochs and returns what the trainer got.
std::map<std::uint64_t, std::vector<std::uint64_t>> record(const made_run& run, bool full = true) {
  const auto data = open(run);
  made_process process(run, full);
  process.serve(data.config(), 0);
  process.serve(data.config(), 1);
  return process.batches;
}

/// A checkpoint of a run that was trained on data of that fingerprint.
void put_checkpoint(const made_run& run, const std::string& fingerprint) {
  const auto folder = run.folder() + "/checkpoints/latest";
  std::filesystem::create_directories(folder);
  std::filesystem::copy(run.folder() + "/config.yaml", folder + "/config.yaml");
  put_file(folder + "/state.json", *to_json(snapshot{}, {{"data.fingerprint", fingerprint}}));
}

/// What the logger writes of training samples that were bad in epoch 1.
void put_bad_samples(const made_run& run, const std::set<std::uint64_t>& ids) {
  std::string text = "id,sample,data,epoch,stage,reason\n";
  for (const auto id : ids)
    text += std::to_string(id) + ",\"a, b\",training,1,augmenter,no picture\n";
  put_file(run.folder() + "/bad_samples.csv", text + "0,x,validation,1,loader,gone\n");
}

/// Leaves files that are no pictures, one of them empty, which cannot be read at all.
void spoil(const std::string& root) {
  put_file(root + "/cat/03.ppm", "P6 no");
  put_file(root + "/cat/07.ppm", "");
  put_file(root + "/dog/01.ppm", "P6 no");
  put_file(root + "/dog/09.ppm", "P6\n10 9\n255\nshort");
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/remake");

TEST_CASE("every batch of a recorded run is made again exactly") {
  const made_run run(synthetic_config());
  const auto batches = record(run);
  REQUIRE(batches.size() == 14);
  CHECK(batches.at(5).size() == 7);
  CHECK(batches.at(6).size() == 2);
  for (const auto& [batch, ids] : batches)
    check_exact(show(run, batch), ids);
  const auto text = text_of(show(run, 8));
  CHECK(has(text, "batch 8: epoch 2 of 2, batch 2 of 7"));
  CHECK(has(text, "reproduced exactly: 8 of 8 samples"));
  CHECK(has(text, "random_crop: "));
  CHECK_FALSE(has(text, "not checked"));
}

TEST_CASE("a sample whose recorded hash is another one is named") {
  const made_run run(synthetic_config());
  std::vector<std::uint64_t> ids;
  {
    const auto data = open(run);
    made_process process(run);
    process.serve(data.config(), 0, 0, [](trace_record& record) {
      if (record.batch == 2 && record.version == 3)
        record.cause ^= 1;
    });
    ids = process.batches.at(2);
  }
  const auto shown = show(run, 2);
  CHECK(ids_of(shown) == ids);
  CHECK(shown.check.num_same == 7);
  REQUIRE(shown.check.differences.size() == 1);
  CHECK(has(shown.check.differences[0], "slot 3, sample " + std::to_string(ids[3]) + " ("));
  CHECK(has(text_of(shown), "NOT reproduced: 1 of 8 samples differ"));
  CHECK_FALSE(show(run, 1).check.differs());
}

TEST_CASE("without recorded hashes a batch is what seed and place say, unchecked") {
  const made_run run(synthetic_config());
  const auto batches = record(run, /*full=*/false);
  for (const auto& [batch, ids] : batches) {
    const auto shown = show(run, batch);
    CHECK(ids_of(shown) == ids);
    CHECK(shown.check.num_checked == 0);
    CHECK_FALSE(shown.check.differs());
  }
  CHECK(has(text_of(show(run, 0)), "not checked: no hashes were recorded (trace.mode: flight)"));
}

TEST_CASE("a run without a trace can be shown") {
  const made_run run(synthetic_config());
  const auto data = open(run);
  const auto shown = show_batch({data, nullptr, run.folder()}, 0);
  REQUIRE(shown);
  CHECK(shown->why_unchecked == "there is no trace");
  CHECK(shown->samples.size() == 8);
}

TEST_CASE("a batch that the run does not have is refused") {
  const made_run run(synthetic_config());
  const auto data = open(run);
  const auto shown = show_batch({data, nullptr, run.folder()}, 14);
  REQUIRE_FALSE(shown);
  CHECK(shown.error().code == ec::not_found);
  CHECK(shown.error().context == "batch 14: the run has 2 epochs of 7 batches, expected a batch below 14");
}

TEST_CASE("a file that was changed after the run is told") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 12);
  const made_run run(test::picture_config(pictures / "data"));
  const auto batches = record(run);
  for (const auto& [batch, ids] : batches)
    check_exact(show(run, batch), ids);
  put_file(pictures / "data/dog/05.ppm", noisy_ppm(10, 9, 999));
  std::uint64_t num_different = 0;
  for (const auto& [batch, ids] : batches)
    for (const auto& line : show(run, batch).check.differences) {
      ++num_different;
      CHECK(has(line, "dog/05.ppm"));
      CHECK(has(line, "its file was changed after the run had begun"));
    }
  CHECK(num_different == 2); // Once in each epoch.
}

TEST_CASE("bad samples are replaced or closed up as in the run") {
  for (const std::string policy : {"replace", "skip"})
    for (const bool full : {true, false}) {
      CAPTURE(policy);
      CAPTURE(full);
      const scratch_folder pictures;
      test::put_pictures(pictures / "data", 12);
      spoil(pictures / "data");
      const made_run run(test::picture_config(
        pictures / "data", "pipeline: {batch_size: 5, bad_samples: {policy: " + policy + ", max: 10, max_share: 1}}"));
      std::map<std::uint64_t, std::vector<std::uint64_t>> batches;
      {
        const auto data = open(run);
        made_process process(run, full);
        process.serve(data.config(), 0);
        process.serve(data.config(), 1);
        batches = process.batches;
        REQUIRE(process.bad.size() == 4);
        put_bad_samples(run, process.bad);
      }
      for (const auto& [batch, ids] : batches) {
        const auto shown = show(run, batch);
        if (full)
          check_exact(shown, ids);
        CHECK(ids_of(shown) == ids);
        CHECK(has(text_of(shown), "the batch is empty") == ids.empty());
        if (!full && policy == "replace" && !ids.empty())
          CHECK(has(text_of(shown), "4 samples of the run were bad up to this epoch (bad_samples.csv)"));
      }
    }
}

TEST_CASE("files that were added after the run change its order, which is told") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 12);
  const made_run run(test::picture_config(pictures / "data"));
  const auto batches = record(run);
  test::put_pictures(pictures / "data", 14);
  const auto shown = show(run, 1);
  CHECK(ids_of(shown) == batches.at(1));
  CHECK(shown.check.differs());
  CHECK(has(text_of(shown), "have files been added or removed?"));
}

TEST_CASE("data that are not those of the newest checkpoint are told first, once") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 12);
  const made_run run(test::picture_config(pictures / "data"));
  record(run);
  CHECK(open(run).change().empty()); // No checkpoint: not known.
  put_checkpoint(run, open(run).set(false)->data->fingerprint());
  CHECK(open(run).change().empty());
  CHECK_FALSE(has(text_of(show(run, 1)), "warning: "));
  test::put_pictures(pictures / "data", 14);
  CHECK(open(run).change().starts_with("the training data are not those of the run: fingerprint image_folder:"));
  const auto text = text_of(show(run, 1));
  CHECK(text.find("warning: the training data are not those") == text.find('\n') + 1);
  CHECK_FALSE(has(text, "another build"));
}

TEST_CASE("of a batch that was served twice the newest process counts") {
  const made_run run(synthetic_config());
  const auto config = open(run).config();
  {
    made_process killed(run);
    killed.serve(config, 0, 0, [](trace_record& record) { record.cause ^= record.batch >= 3 ? 1 : 0; });
    killed.loss(3, 4, 7.5);
  }
  CHECK(show(run, 3).check.num_same == 0);
  {
    made_process resumed(run);
    resumed.serve(config, 0, 3);
    resumed.loss(3, 4, 1.25);
  }
  for (const std::uint64_t batch : {0, 2, 3, 6})
    CHECK_FALSE(show(run, batch).check.differs());
  CHECK(has(text_of(show(run, 3)), "made by 2 processes of the run"));
  CHECK(show(run, 3).loss == 1.25);
}

TEST_CASE("a batch is told with the step that it was part of, and its loss") {
  const made_run run(synthetic_config("epochs: 2, accumulate: 3"));
  const auto config = open(run).config();
  {
    made_process process(run);
    process.serve(config, 0);
    process.loss(0, 1, 2.5);
    process.loss(3, 2, 1.5);
    process.loss(6, 3, 0.5);
  }
  for (const auto& [batch, step] : std::map<std::uint64_t, std::uint64_t>{{0, 1}, {2, 1}, {3, 2}, {5, 2}, {6, 3}})
    CHECK(show(run, batch).step == step);
  CHECK(has(text_of(show(run, 4)), "batch 4: epoch 1 of 2, batch 5 of 7, step 2, loss 1.5\n"));
}

TEST_CASE("a batch has no step of another epoch, or that was done before the trainer took the batch up") {
  const made_run run(synthetic_config("epochs: 2, accumulate: 3"));
  const auto config = open(run).config();
  SUBCASE("the last step of an epoch has fewer batches") {
    made_process process(run);
    process.serve(config, 0);
    process.loss(6, 3, 0.5);
    process.serve(config, 1);
  }
  SUBCASE("the run died while a step gathered its batches") {
    made_process process(run);
    process.serve(config, 0);
    process.serve(config, 1, 0);
    process.loss(3, 2, 1.5);
    process.loss(6, 3, 0.5);
  }
  for (const std::uint64_t batch : {7, 8, 9, 13})
    CHECK_FALSE(show(run, batch).step);
  CHECK(show(run, 6).step == 3);
}

TEST_CASE("a batch that the trainer never took up, or later than the step, has no step") {
  const made_run run(synthetic_config("epochs: 2, accumulate: 7"));
  {
    made_process process(run);
    process.unread = {5, 6};
    process.serve(open(run).config(), 0);
    process.loss(0, 1, 0.5);
    process.message("trainer", "batch_ready", {.batch = 6});
  }
  CHECK(show(run, 4).step == 1);
  CHECK_FALSE(show(run, 5).step);
  CHECK_FALSE(show(run, 6).step);
}

TEST_CASE("a mixed batch is shown before mixing and told") {
  const made_run run(
    "data: {train: {dataset: synthetic, size: 49, shape: [1, 12, 12], num_classes: 3}}, pipeline: {batch_size: 8}, "
    "transforms: {batch: {mixup_p: 1, mixup_alpha: 1}}");
  const auto batches = record(run);
  const auto shown = show(run, 1);
  check_exact(shown, batches.at(1));
  CHECK(shown.own_share > 0);
  CHECK(shown.own_share < 1);
  CHECK(has(text_of(shown), "the batch was mixed"));
  CHECK(show(run, 2).own_share != shown.own_share);
}

TEST_CASE("the sheet is a PNG file with a picture for each sample") {
  const made_run run(synthetic_config());
  record(run);
  const auto shown = show(run, 0);
  const auto sheet = draw_sheet(shown, open(run));
  REQUIRE(sheet);
  const auto grid = plan_contact_sheet(8, 12, 12);
  CHECK(sheet->width == grid.columns * grid.cell_width);
  CHECK(sheet->height == grid.rows * grid.cell_height);
  CHECK(sheet->bytes.starts_with("\x89PNG\r\n\x1a\n"));
}

TEST_CASE("a shown batch as JSON holds everything") {
  const made_run run(synthetic_config());
  record(run);
  std::ostringstream out;
  print_json(show(run, 9), out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["batch"] == 9);
  CHECK(json["epoch"] == 2);
  CHECK(json["index"] == 2);
  CHECK(json["step"] == nullptr);
  CHECK(json["num_same"] == 8);
  CHECK(json["differences"].empty());
  REQUIRE(json["samples"].size() == 8);
  CHECK(json["samples"][3]["slot"] == 3);
  CHECK(json["samples"][3]["result"] == "same");
  CHECK(json["samples"][3]["pixel_hash"] == json["samples"][3]["recorded_hash"]);
  CHECK(json["samples"][3]["drawn"].size() == 2);
}

TEST_SUITE_END();
