#include "actors/saver/checkpoint_keeper.hpp"

#include "actors/saver/safetensors.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct keeping {
  scratch_folder run;
  std::string folder = run / "checkpoints";
  checkpoint_keeper::time_point now = std::chrono::system_clock::from_time_t(1'800'000'000);

  keeping() { std::filesystem::create_directory(folder); }

  checkpoint_keeper keeper(std::map<std::string, std::string> notes = {}, std::string resumed_from = {},
                           std::uint64_t keep_last = 2) {
    saver_config config;
    config.folder = folder;
    config.keep_last = keep_last;
    auto made = checkpoint_keeper::make(config, {"a: 1\n", {"cat", "dog"}, std::move(notes)}, std::move(resumed_from));
    REQUIRE_MESSAGE(made, made.error().context);
    return std::move(*made);
  }

  validation_report report(std::uint64_t step, std::uint64_t version, double top1, bool resumable = true) {
    validation_report out;
    out.snapshot = std::make_shared<snapshot>(snapshot_at(step, version, resumable));
    out.top1 = top1;
    out.loss = 1 - top1;
    return out;
  }

  std::size_t num_checkpoints() { return list_checkpoints(folder)->size(); }
  std::string linked(const char* link) { return *linked_checkpoint(folder, link); }
};

} // namespace

TEST_SUITE("actors/saver") {

  TEST_CASE_FIXTURE(keeping, "a saved snapshot becomes the latest; the oldest beyond keep_last go") {
    auto unit = keeper();
    for (std::uint64_t version : {1, 2, 3}) {
      auto saved = unit.save(snapshot_at(version * 10, version), now);
      REQUIRE(saved);
      CHECK(saved->tag.step == version * 10);
      CHECK(saved->num_bytes > 0);
      CHECK(std::filesystem::path(saved->path).filename() == linked(latest_link));
    }
    CHECK(num_checkpoints() == 2);
  }

  TEST_CASE_FIXTURE(keeping, "best points at the judged checkpoint, which is then never deleted") {
    auto unit = keeper();
    REQUIRE(unit.save(snapshot_at(10, 1), now));
    auto judged = unit.judge(report(10, 1, 0.9), now);
    REQUIRE(judged);
    CHECK_FALSE(*judged);
    const auto best = linked(best_link);
    for (std::uint64_t version = 2; version < 7; ++version) {
      REQUIRE(unit.save(snapshot_at(version * 10, version), now));
      REQUIRE(unit.judge(report(version * 10, version, 0.5), now));
    }
    CHECK(linked(best_link) == best);
    CHECK(num_checkpoints() == 3);
    REQUIRE(unit.best());
    CHECK(unit.best()->top1 == 0.9);
    CHECK(unit.best()->step == 10);
  }

  TEST_CASE_FIXTURE(keeping, "a best snapshot without a checkpoint is written, weights only") {
    auto unit = keeper();
    auto judged = unit.judge(report(15, 1, 0.8, false), now);
    REQUIRE(judged);
    REQUIRE(*judged);
    CHECK(std::filesystem::path((*judged)->path).filename() == linked(best_link));
    CHECK_FALSE(load_checkpoint((*judged)->path)->state.has_training_state);
  }

  TEST_CASE_FIXTURE(keeping, "a resumed run knows the best so far and the checkpoints that are there") {
    std::string name;
    std::map<std::string, std::string> notes;
    {
      auto unit = keeper();
      REQUIRE(unit.save(snapshot_at(10, 1), now));
      REQUIRE(unit.judge(report(10, 1, 0.9), now));
      auto saved = unit.save(snapshot_at(20, 2), now);
      REQUIRE(saved);
      name = std::filesystem::path(saved->path).filename();
      notes = load_checkpoint(saved->path)->extra.notes;
    }
    auto unit = keeper(notes, name);
    REQUIRE(unit.best());
    CHECK(unit.best()->top1 == 0.9);
    CHECK(unit.best()->step == 10);
    SUBCASE("a worse judgement changes nothing") {
      REQUIRE(unit.judge(report(20, 2, 0.85), now));
      CHECK(unit.best()->step == 10);
    }
    SUBCASE("the resumed snapshot, judged the best, is not written a second time") {
      auto judged = unit.judge(report(20, 2, 0.95), now);
      REQUIRE(judged);
      CHECK_FALSE(*judged);
      CHECK(linked(best_link) == name);
      CHECK(num_checkpoints() == 2);
    }
    SUBCASE("the checkpoint that was resumed from is never deleted") {
      for (std::uint64_t version = 3; version < 9; ++version)
        REQUIRE(unit.save(snapshot_at(version * 10, version), now));
      CHECK(load_checkpoint(folder + "/" + name));
    }
  }

  TEST_CASE_FIXTURE(keeping,
                    "the best is known after a resume, even if no checkpoint was written since it was judged") {
    std::string name;
    std::map<std::string, std::string> notes;
    {
      auto unit = keeper();
      auto saved = unit.save(snapshot_at(10, 1), now);
      REQUIRE(saved);
      name = std::filesystem::path(saved->path).filename();
      notes = load_checkpoint(saved->path)->extra.notes;
      REQUIRE(unit.judge(report(10, 1, 0.9), now));
    }
    CHECK(notes.empty());
    auto unit = keeper(notes, name);
    REQUIRE(unit.best());
    CHECK(unit.best()->top1 == 0.9);
    SUBCASE("a damaged record is as good as none") {
      std::ofstream(folder + "/best.json") << "{\"best.value\": 7";
      CHECK_FALSE(keeper(notes, name).best());
    }
    SUBCASE("a fresh run does not look at it") {
      CHECK_FALSE(keeper().best());
    }
  }

  TEST_CASE_FIXTURE(keeping, "resumed from before the best, the run forgets it and points at the one before") {
    auto unit = keeper({}, {}, 5);
    std::vector<std::string> names;
    for (std::uint64_t version : {1, 2, 3}) {
      auto saved = unit.save(snapshot_at(version * 10, version), now);
      REQUIRE(saved);
      names.push_back(std::filesystem::path(saved->path).filename());
      REQUIRE(unit.judge(report(version * 10, version, 0.5 + 0.1 * double(version)), now));
    }
    CHECK(linked(best_link) == names[2]);
    auto notes = load_checkpoint(folder + "/" + names[1])->extra.notes;
    auto resumed = keeper(notes, names[1], 5);
    REQUIRE(resumed.best());
    CHECK(resumed.best()->step == 10);
    CHECK(linked(best_link) == names[0]);
  }

  TEST_CASE_FIXTURE(keeping, "a checkpoint that cannot be written is a failure, and the next one works") {
    auto unit = keeper();
    auto bad = snapshot_at(10, 1);
    bad.weights.push_back(floats("nan", {std::numeric_limits<float>::quiet_NaN()}));
    auto saved = unit.save(bad, now);
    REQUIRE_FALSE(saved);
    CHECK(saved.error().code == ec::nonfinite);
    CHECK(unit.save(snapshot_at(20, 2), now));
    CHECK(num_checkpoints() == 1);
  }

  TEST_CASE_FIXTURE(keeping, "a refused batch is kept beside the checkpoints, twice in a row too") {
    auto unit = keeper();
    batch_rejected batch{{}, {floats("pixels", {1, 2})}, "its loss is not finite"};
    batch.batch.id = 17;
    for (int i = 0; i < 2; ++i) {
      auto path = unit.save_rejected(batch);
      REQUIRE(path);
      CHECK(*path == run / "rejected-batch-17.safetensors");
      auto read = read_safetensors(*path);
      REQUIRE(read);
      CHECK(same_tensors(read->tensors, batch.tensors));
      CHECK(read->metadata.at("reason") == batch.reason);
    }
  }

  TEST_CASE_FIXTURE(keeping, "an unknown monitor is refused") {
    saver_config config;
    config.folder = folder;
    config.monitor = "f1";
    auto made = checkpoint_keeper::make(config, {}, {});
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::bad_config);
  }

} // TEST_SUITE
