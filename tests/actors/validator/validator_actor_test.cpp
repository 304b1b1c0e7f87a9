#include "actors/validator/validator_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/support/network/image_model.hpp"
#include "actors/support/network/state_dict.hpp"
#include "actors/support/network/tensor_bridge.hpp"
#include "actors/validator/evaluator.hpp"
#include "tests/support/stub_company.hpp"
#include "tests/support/toy_batch.hpp"

#include <caf/event_based_actor.hpp>
#include <torch/torch.h>

#include <algorithm>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;
using doctest::Approx;
using steps = std::vector<std::uint64_t>;

namespace {

/// A validator among stubs, and a set of ten samples in batches of four, four and two.
struct stage {
  static constexpr std::uint64_t per_epoch = 3;
  static constexpr std::uint32_t batch_size = 4, num_samples = 10;
  inline static const model_io io{1, 8, 8, 3};

  deterministic_system actors;
  stub<loader_actor, loader_memory> loader = stub_loader(actors);
  stub<logger_actor, logger_memory> logger = stub_logger(actors);
  stub<saver_actor, saver_memory> saver = stub_saver(actors);
  stub<judgement_sink, judgement_memory> trainer = stub_judgement_sink(actors);
  stub<supervisor_actor, supervisor_memory> supervisor = stub_supervisor(actors);
  validator_config config{.model = {.name = "mlp", .dropout = 0.5, .hidden = 8},
                          .compute = {.device = "cpu"},
                          .policy = validation_policy::all,
                          .topk = 2};
  validator_actor validator;

  void spawn() {
    validator_setup setup;
    setup.config = config;
    setup.io = io;
    setup.layout = {batch_size, 1, 8, 8, true};
    setup.logger = logger.handle;
    setup.saver = saver.handle;
    setup.trainer = trainer.handle;
    setup.supervisor = supervisor.handle;
    validator = actors.spawn(troupe::validator, std::move(setup));
    actors.run();
    REQUIRE(supervisor->validators.size() == 1);
  }

  void begin(validation_policy policy = validation_policy::all) {
    config.policy = policy;
    spawn();
    REQUIRE(supervisor->validators[0].error.code == ec::none);
    caf::anon_send(validator, loader.handle);
    actors.run();
  }

  /// Where the reason of the validator's end will be.
  std::shared_ptr<caf::error> watch() {
    auto why = std::make_shared<caf::error>();
    actors.spawn([why, whom = validator](caf::event_based_actor* self) -> caf::behavior {
      self->monitor(whom);
      self->set_down_handler([why](caf::down_msg& down) { *why = std::move(down.reason); });
      return {[](int) {}};
    });
    actors.run();
    return why;
  }

  /// Weights that differ from step to step.
  [[nodiscard]] snapshot_ptr snapshot_at(std::uint64_t step) const {
    const auto model = make_model(config.model, io, step);
    REQUIRE(model);
    auto taken = std::make_shared<snapshot>();
    taken->tag = {"test", 0, step, step};
    for (const auto& [name, value] : state_entries(**model))
      taken->weights.push_back({name, as_host_tensor(value.detach().clone())});
    return taken;
  }

  snapshot_ptr send(std::uint64_t step) {
    auto taken = snapshot_at(step);
    caf::anon_send(validator, snapshot_ptr{taken});
    actors.run();
    return taken;
  }

  /// Sends batch `index` of the range that the validator asked for last.
  void feed_batch(std::uint64_t index) {
    REQUIRE_FALSE(loader->ranges.empty());
    REQUIRE_FALSE(loader->buffers.empty());
    auto buffer = std::move(loader->buffers.front());
    loader->buffers.erase(loader->buffers.begin());
    toy_batch samples(io, num_samples, 1);
    const auto first = index * batch_size;
    const auto n = std::min<std::uint64_t>(batch_size, num_samples - first);
    const auto* pixels = samples.pixels.data() + first * 64;
    std::copy(pixels, pixels + n * 64, buffer.floats());
    std::copy_n(samples.labels.begin() + static_cast<std::ptrdiff_t>(first), n, buffer.labels().begin());
    const auto id = loader->ranges.back().first.epoch * per_epoch + index;
    const auto ref = ref_of(id, per_epoch, static_cast<std::uint32_t>(n));
    caf::anon_send(validator, batch_ready{ref, lease<batch_buffer>{std::move(buffer)}, {}});
    actors.run();
  }

  void feed_set() {
    for (std::uint64_t i = 0; i < per_epoch; ++i)
      feed_batch(i);
  }

  /// What an evaluator says that gets the whole set at once.
  [[nodiscard]] validation_report judged_at_once(const snapshot_ptr& weights) const {
    const auto judge = evaluator::make(config, io);
    REQUIRE(judge);
    toy_batch samples(io, num_samples, 1);
    REQUIRE((*judge)->load(weights));
    REQUIRE((*judge)->add(samples.view()));
    return (*judge)->finish();
  }

  [[nodiscard]] steps reported() const {
    steps result;
    for (const auto& each : logger->reports)
      result.push_back(each.snapshot->tag.step);
    return result;
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/validator");

TEST_CASE_FIXTURE(stage, "a model that does not exist is an error in validator_ready") {
  config.model.name = "lenat";
  spawn();
  CHECK(supervisor->validators[0].error.code == ec::bad_config);
}

TEST_CASE_FIXTURE(stage, "the buffers are minted once the loader is known, and nothing is served before a snapshot") {
  begin();
  CHECK(loader->buffers.size() == 2);
  REQUIRE(supervisor->minted.size() == 1);
  CHECK(supervisor->minted[0].home->minted() == 2);
  CHECK(loader->ranges.empty());
}

TEST_CASE_FIXTURE(stage, "a snapshot is judged over the whole set, once") {
  begin();
  send(1);
  REQUIRE(loader->ranges.size() == 1);
  const auto& range = loader->ranges[0];
  CHECK(range.first.batch == 0);
  CHECK(range.end_epoch == range.first.epoch + 1);
  feed_batch(0);
  feed_batch(1);
  CHECK(logger->reports.empty());
  feed_batch(2);
  CHECK(reported() == steps{1});
  CHECK(logger->reports[0].num_samples == num_samples);
  CHECK(loader->ranges.size() == 1);
}

TEST_CASE_FIXTURE(stage, "figures are those of the whole set judged at once") {
  begin();
  const auto weights = send(3);
  feed_set();
  REQUIRE(logger->reports.size() == 1);
  const auto& report = logger->reports[0];
  const auto expected = judged_at_once(weights);
  CHECK(report.loss == Approx(expected.loss).epsilon(1e-6));
  CHECK(report.top1 == expected.top1);
  CHECK(report.topk == expected.topk);
  CHECK(report.k == expected.k);
  CHECK(report.confusion == expected.confusion);
}

TEST_CASE_FIXTURE(stage,
                  "logger and saver get the report with the judged snapshot, trainer and supervisor its version") {
  begin();
  const auto weights = send(5);
  feed_set();
  REQUIRE(logger->reports.size() == 1);
  REQUIRE(saver->reports.size() == 1);
  CHECK(logger->reports[0].snapshot == weights);
  CHECK(saver->reports[0].snapshot == weights);
  REQUIRE(trainer->judged.size() == 1);
  REQUIRE(supervisor->judged.size() == 1);
  CHECK(trainer->judged[0].version == 5);
  CHECK(trainer->judged[0].step == 5);
  CHECK_FALSE(trainer->judged[0].superseded);
  CHECK(supervisor->judged[0].version == 5);
}

TEST_CASE_FIXTURE(stage, "a buffer comes back once for every batch") {
  begin();
  send(1);
  for (std::uint64_t i = 0; i < per_epoch; ++i) {
    feed_batch(i);
    CHECK(loader->buffers.size() == 2);
  }
}

TEST_CASE_FIXTURE(stage, "with policy all every snapshot is judged, in order, each over a fresh range") {
  begin();
  for (std::uint64_t step : {1, 2, 3})
    send(step);
  CHECK(loader->ranges.size() == 1);
  for (std::size_t i = 0; i < 3; ++i) {
    REQUIRE(loader->ranges.size() == i + 1);
    feed_set();
  }
  CHECK(reported() == steps{1, 2, 3});
  CHECK(trainer->judged.size() == 3);
  CHECK(loader->ranges[0].end_epoch == loader->ranges[1].first.epoch);
  CHECK(loader->ranges[1].end_epoch == loader->ranges[2].first.epoch);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(logger->reports[i].loss == Approx(judged_at_once(snapshot_at(i + 1)).loss).epsilon(1e-6));
}

TEST_CASE_FIXTURE(
  stage, "with policy latest a newer snapshot supersedes the one that waits, and the one at work is finished") {
  begin(validation_policy::latest);
  for (std::uint64_t step : {1, 2, 3})
    send(step);
  REQUIRE(trainer->judged.size() == 1);
  CHECK(trainer->judged[0].version == 2);
  CHECK(trainer->judged[0].superseded);
  CHECK(supervisor->judged.size() == 1);
  feed_set();
  feed_set();
  CHECK(reported() == steps{1, 3});
  REQUIRE(trainer->judged.size() == 3);
  CHECK_FALSE(trainer->judged[1].superseded);
  CHECK_FALSE(trainer->judged[2].superseded);
}

TEST_CASE_FIXTURE(stage, "told to finish early it hands the saver what is not judged, the one at work first") {
  begin();
  for (std::uint64_t step : {1, 2, 3})
    send(step);
  caf::anon_send(validator, finish_atom_v);
  actors.run();
  std::vector<std::uint64_t> handed;
  for (auto& snapshot : saver->snapshots)
    handed.push_back(snapshot->tag.step);
  CHECK(handed == std::vector<std::uint64_t>{1, 2, 3});
  feed_set();
  CHECK(logger->reports.empty());
  CHECK(trainer->judged.empty());
}

TEST_CASE_FIXTURE(stage, "a snapshot of another model ends the validator with the reason") {
  begin();
  const auto end = watch();
  auto other = std::make_shared<snapshot>();
  other->tag = {"test", 0, 1, 1};
  caf::anon_send(validator, snapshot_ptr{std::move(other)});
  actors.run();
  CHECK(to_failure(*end).code == ec::mismatch);
  CHECK(logger->reports.empty());
  CHECK(trainer->judged.empty());
}

TEST_CASE_FIXTURE(stage, "every buffer is accounted for when validator and loader are killed") {
  begin();
  const auto home = supervisor->minted[0].home;
  send(1);
  feed_batch(0);
  caf::anon_send_exit(validator, caf::exit_reason::kill);
  caf::anon_send_exit(loader.handle, caf::exit_reason::kill);
  actors.run();
  loader->buffers.clear();
  actors.run();
  CHECK(home->minted() == 2);
  CHECK(home->retired() == 2);
}

TEST_SUITE_END();
