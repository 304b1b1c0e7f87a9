#include "actors/saver/saver_actor.hpp"

#include "actors/saver/checkpoint.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"
#include "tests/support/stub_company.hpp"

#include <cstdint>
#include <filesystem>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

snapshot_ptr state_of(std::uint64_t step, bool has_training_state = true) {
  return std::make_shared<const snapshot>(snapshot_at(step, step, has_training_state));
}

validation_report judged(snapshot_ptr state, double top1) {
  validation_report report;
  report.snapshot = std::move(state);
  report.num_samples = 100;
  report.top1 = top1;
  report.loss = 1 - top1;
  return report;
}

/// A saver in a scratch folder, with a stub logger and a stub supervisor.
struct stage {
  scratch_folder run;
  std::string folder = run / "checkpoints";
  deterministic_system actors;
  stub<logger_actor, logger_memory> logger = stub_logger(actors);
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  saver_actor saver;

  stage() {
    std::filesystem::create_directory(folder);
    saver_setup setup;
    setup.config.folder = folder;
    setup.config_yaml = "run: {name: test}\n";
    setup.classes = {"a", "b"};
    setup.logger = logger.handle;
    setup.supervisor = supervisor.handle;
    saver = actors.spawn(troupe::saver, std::move(setup));
    actors.run();
  }

  template <class Message>
  void tell(Message message) {
    caf::anon_send(saver, std::move(message));
  }

  const saver_finished& finish() {
    tell(finish_atom_v);
    actors.run();
    REQUIRE(supervisor->savers.size() == 1);
    const auto& counts = supervisor->savers[0].counts;
    CHECK(counts.asked == counts.durable + counts.superseded + counts.failed);
    return supervisor->savers[0];
  }

  /// The step of the checkpoint that a link points at; 0: there is none.
  [[nodiscard]] std::uint64_t step_at(const std::string& link) const {
    const auto loaded = load_checkpoint(folder + "/" + link);
    return loaded ? loaded->state.tag.step : 0;
  }

  /// Puts a file where the folder should be, so that nothing can be written into it.
  void block_folder() {
    std::filesystem::remove_all(folder);
    put_file(folder, "in the way");
  }
  void unblock_folder() {
    std::filesystem::remove(folder);
    std::filesystem::create_directory(folder);
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/saver");

TEST_CASE_FIXTURE(stage, "a snapshot becomes a checkpoint that is whole when the logger hears of it") {
  tell(state_of(5));
  actors.run();
  REQUIRE(logger->saved.size() == 1);
  CHECK(logger->saved[0].tag == state_of(5)->tag);
  CHECK(logger->saved[0].num_bytes > 0);
  const auto loaded = load_checkpoint(logger->saved[0].path);
  REQUIRE(loaded);
  CHECK(same_tensors(loaded->state.weights, state_of(5)->weights));
  CHECK(loaded->extra.config_yaml == "run: {name: test}\n");
  CHECK(step_at("latest") == 5);
}

TEST_CASE_FIXTURE(stage, "a snapshot that waits is superseded by a newer one, and counted") {
  tell(state_of(1));
  tell(state_of(2));
  tell(state_of(3));
  actors.run();
  const auto counts = finish().counts;
  CHECK(counts.asked == 3);
  CHECK(counts.superseded >= 1);
  CHECK(counts.failed == 0);
  CHECK(logger->saved.size() == counts.durable);
  CHECK(step_at("latest") == 3);
  CHECK_FALSE(counts.last_failed);
}

TEST_CASE_FIXTURE(stage, "snapshots that come one at a time are all saved") {
  for (std::uint64_t step : {1, 2, 3}) {
    tell(state_of(step));
    actors.run();
  }
  const auto counts = finish().counts;
  CHECK(counts.durable == 3);
  CHECK(counts.superseded == 0);
}

TEST_CASE_FIXTURE(stage, "the best link points at the snapshot that was judged best, not at the newest") {
  for (std::uint64_t step : {1, 2, 3}) {
    tell(state_of(step));
    actors.run();
  }
  tell(judged(state_of(1), 0.5));
  tell(judged(state_of(2), 0.8));
  tell(judged(state_of(3), 0.7));
  actors.run();
  CHECK(step_at("best") == 2);
  CHECK(step_at("latest") == 3);
  const auto& best = finish().best;
  REQUIRE(best);
  CHECK(best->step == 2);
  CHECK(best->top1 == 0.8);
}

TEST_CASE_FIXTURE(stage, "the best snapshot without a checkpoint of its own is saved from its report") {
  tell(state_of(1));
  actors.run();
  tell(judged(state_of(2, false), 0.9));
  actors.run();
  CHECK(step_at("best") == 2);
  CHECK(step_at("latest") == 1);
}

TEST_CASE_FIXTURE(stage, "a failed write is reported with its reason, and a later one is fine") {
  block_folder();
  tell(state_of(1));
  actors.run();
  REQUIRE(logger->failed.size() == 1);
  CHECK(logger->failed[0].tag == state_of(1)->tag);
  CHECK(logger->failed[0].why.code != ec::none);
  CHECK(logger->failed[0].why.context.find(folder) != std::string::npos);
  unblock_folder();
  tell(state_of(2));
  actors.run();
  CHECK(step_at("latest") == 2);
  const auto counts = finish().counts;
  CHECK(counts.failed == 1);
  CHECK(counts.durable == 1);
  CHECK_FALSE(counts.last_failed);
}

TEST_CASE_FIXTURE(stage, "a failed last write shows in the books") {
  tell(state_of(1));
  actors.run();
  block_folder();
  tell(state_of(2));
  actors.run();
  CHECK(finish().counts.last_failed);
}

TEST_CASE_FIXTURE(stage, "a weight that is not finite is never saved, and earlier checkpoints stay") {
  tell(state_of(1));
  actors.run();
  auto spoilt = snapshot_at(2, 2);
  spoilt.weights[0] = floats("fc.weight", {1, std::numeric_limits<float>::quiet_NaN(), 1});
  tell(snapshot_ptr{std::make_shared<const snapshot>(std::move(spoilt))});
  actors.run();
  REQUIRE(logger->failed.size() == 1);
  CHECK(logger->failed[0].why.code == ec::nonfinite);
  CHECK(step_at("latest") == 1);
}

TEST_CASE_FIXTURE(stage, "snapshots that are handed over late are all written, and latest stays where it is") {
  tell(state_of(5));
  tell(state_of(3));
  tell(state_of(4));
  tell(state_of(2, false));
  const auto counts = finish().counts;
  CHECK(counts.durable == 4);
  CHECK(counts.superseded == 0);
  CHECK(step_at("latest") == 5);
}

TEST_CASE_FIXTURE(stage, "a snapshot that has its checkpoint is not written again") {
  tell(state_of(5));
  actors.run();
  tell(state_of(5));
  const auto counts = finish().counts;
  CHECK(counts.asked == 1);
  CHECK(counts.durable == 1);
}

TEST_CASE_FIXTURE(stage, "the newest snapshot, where it could not be written, is tried once more at the end") {
  block_folder();
  tell(state_of(1));
  tell(judged(state_of(1, false), 0.5));
  actors.run();
  CHECK(logger->failed.size() == 2);
  unblock_folder();
  const auto counts = finish().counts;
  CHECK(counts.durable == 1);
  CHECK_FALSE(counts.last_failed);
  CHECK(step_at("latest") == 1);
}

TEST_CASE_FIXTURE(stage, "weights that are saved do not make up for the newest checkpoint that is not") {
  tell(state_of(1));
  actors.run();
  block_folder();
  tell(state_of(2));
  actors.run();
  unblock_folder();
  tell(judged(state_of(3, false), 0.5));
  actors.run();
  block_folder();
  CHECK(finish().counts.last_failed);
}

TEST_CASE_FIXTURE(stage, "finish waits for the snapshot that is not written yet") {
  tell(state_of(4));
  const auto& finished = finish();
  CHECK(finished.counts.durable == 1);
  CHECK(logger->saved.size() == 1);
  CHECK(step_at("latest") == 4);
}

TEST_CASE_FIXTURE(stage, "finish without anything to save is answered too") {
  const auto& finished = finish();
  CHECK(finished.counts.asked == 0);
  CHECK_FALSE(finished.best);
}

TEST_CASE_FIXTURE(stage, "a refused batch is written beside the checkpoints and the user is told where") {
  batch_rejected rejected;
  rejected.batch.id = 9;
  rejected.tensors = {floats("pixels", {1, 2, 3})};
  rejected.reason = "loss is nan";
  tell(std::move(rejected));
  actors.run();
  const auto path = run / "rejected-batch-9.safetensors";
  CHECK(std::filesystem::exists(path));
  REQUIRE(logger->notices.size() == 1);
  CHECK(logger->notices[0].text.find(path) != std::string::npos);
}

TEST_SUITE_END();
