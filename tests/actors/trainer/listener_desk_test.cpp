#include "actors/trainer/listener_desk.hpp"

#include "actors/support/components/attachments.hpp"
#include "messages/listener_protocol.hpp"
#include "tests/actors/trainer/trainer_stage.hpp"

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("actors/trainer");

namespace {

struct listener_memory {
  std::vector<step_report_ptr> steps;
  std::vector<std::uint64_t> weighed;
  std::uint64_t asked_to_keep = 0;
  bool answers = true; ///< Else it fails.
  std::shared_ptr<const std::vector<float>> weights;
};

/// A trainer with listeners.
struct listened_stage : trainer_stage {
  stub<listener_actor, listener_memory> listener() {
    auto memory = std::make_shared<listener_memory>();
    auto handle = actors.spawn([memory]() -> listener_actor::behavior_type {
      return {[memory](const step_report_ptr& x) { memory->steps.push_back(x); }, [](const validation_report&) {},
              [memory](weigh_atom, std::uint64_t epoch) -> caf::result<sampling_answer> {
                memory->weighed.push_back(epoch);
                if (!memory->answers)
                  return caf::sec::runtime_error;
                return sampling_answer{memory->weights};
              },
              [memory](keep_atom) -> caf::result<kept_state> {
                ++memory->asked_to_keep;
                if (!memory->answers)
                  return caf::sec::runtime_error;
                return kept_state{"after " + std::to_string(memory->steps.size())};
              },
              [](status_atom) { return actor_status{}; }};
    });
    return {handle, memory};
  }

  void begin_with(std::vector<listener_entry> listeners) {
    setup.config.scores_samples = true;
    setup.num_samples = 3;
    trainer = actors.spawn(troupe::trainer, setup);
    caf::anon_send(trainer, listeners_now{std::move(listeners)});
    caf::anon_send(trainer, begin_training{loader.handle, validator.handle});
    actors.run();
  }
};

} // namespace

TEST_CASE_FIXTURE(listened_stage, "a listener hears of every step with each of its samples") {
  auto ear = listener();
  begin_with({{"ear", ear.handle, false}});
  feed(2);
  REQUIRE(ear->steps.size() == 2);
  const auto& report = *ear->steps[1];
  CHECK(report.step.step == 2);
  REQUIRE(report.samples.size() == batch_size);
  double sum = 0;
  for (const auto& each : report.samples) {
    CHECK(each.label >= 0);
    CHECK(each.label < io.num_classes);
    CHECK(each.predicted < io.num_classes);
    CHECK(each.loss > 0);
    sum += each.loss;
  }
  CHECK(sum == doctest::Approx(report.step.loss_sum).epsilon(1e-5));
  CHECK(ear->weighed.empty());
}

TEST_CASE_FIXTURE(listened_stage, "training is the same, bit for bit, whoever listens") {
  setup.config.epochs = 1;
  listened_stage quiet;
  quiet.begin();
  quiet.feed(per_epoch);
  auto ear = listener();
  begin_with({{"ear", ear.handle, true}});
  feed(per_epoch);
  REQUIRE(logger->steps.size() == quiet.logger->steps.size());
  for (std::size_t i = 0; i < logger->steps.size(); ++i)
    CHECK(logger->steps[i].loss_sum == quiet.logger->steps[i].loss_sum);
}

TEST_CASE_FIXTURE(listened_stage, "after each epoch the loader learns how the epoch after next is drawn") {
  setup.config.epochs = 3;
  auto ear = listener();
  begin_with({{"ear", ear.handle, true}});
  feed(per_epoch);
  REQUIRE(loader->settled.size() == 1);
  CHECK(loader->settled[0].epoch == 0);
  CHECK_FALSE(loader->settled[0].change);
  ear->weights = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3});
  feed(per_epoch);
  REQUIRE(loader->settled.size() == 2);
  REQUIRE(loader->settled[1].change);
  CHECK(loader->settled[1].change->version == 1);
  CHECK(loader->settled[1].change->from_epoch == 3);
  CHECK(loader->settled[1].change->weights == ear->weights);
  CHECK(ear->weighed == std::vector<std::uint64_t>{0, 1});
}

TEST_CASE_FIXTURE(listened_stage, "weights that are none change nothing, are in no checkpoint, and are told") {
  setup.config.epochs = 2;
  auto ear = listener();
  begin_with({{"ear", ear.handle, true}});
  for (const std::vector<float>& wrong : {std::vector<float>{1, 1}, std::vector<float>{1, 0, 1}}) {
    ear->weights = std::make_shared<const std::vector<float>>(wrong);
    feed(per_epoch);
    CHECK_FALSE(loader->settled.back().change);
    CHECK(supervisor->plugin_failures.back().what.find("expected 3 finite numbers above 0") != std::string::npos);
  }
  CHECK(read_attachments(saver->snapshots.back()->attachments)->sampling.empty());
}

TEST_CASE_FIXTURE(listened_stage, "one that fails to answer changes nothing, holds nobody up, and is reported") {
  auto ear = listener();
  ear->answers = false;
  begin_with({{"ear", ear.handle, true}});
  feed(per_epoch);
  REQUIRE(loader->settled.size() == 1);
  CHECK_FALSE(loader->settled[0].change);
  REQUIRE(supervisor->plugin_failures.size() == 2); // How to draw, and what to keep at the last step's checkpoint.
  CHECK(supervisor->plugin_failures[0].component == "listener ear");
  REQUIRE(saver->snapshots.size() == 1);
  CHECK(saver->snapshots[0]->attachments.empty());
  CHECK(ended().steps == per_epoch);
}

TEST_CASE_FIXTURE(listened_stage,
                  "a checkpoint holds what listeners keep as of its own step, and the weights to come") {
  setup.config.epochs = 2;
  setup.config.checkpoint = {.every_steps = 4};
  auto ear = listener(), other = listener();
  ear->weights = std::make_shared<const std::vector<float>>(std::vector<float>{1, 2, 3});
  begin_with({{"ear", ear.handle, true}, {"other", other.handle, false}});
  feed(8);
  REQUIRE(steps_of(saver->snapshots) == std::vector<std::uint64_t>{4, 8});
  const auto first = *read_attachments(saver->snapshots[0]->attachments);
  CHECK(first.listeners.at("ear") == "after 4");
  CHECK(first.listeners.at("other") == "after 4");
  CHECK(first.sampling.empty());
  const auto second = *read_attachments(saver->snapshots[1]->attachments);
  CHECK(second.listeners.at("ear") == "after 8");
  REQUIRE(second.sampling.size() == 1);
  CHECK(second.sampling[0].version == 1);
  CHECK(second.sampling[0].from_epoch == 2);
  CHECK(*second.sampling[0].weights == *ear->weights);
}

TEST_CASE_FIXTURE(listened_stage, "the end is told when the last checkpoint is complete and on its way") {
  auto ear = listener();
  begin_with({{"ear", ear.handle, false}});
  feed(3);
  caf::anon_send<caf::message_priority::high>(trainer, stop_training{stop_reason::signal, true});
  actors.run();
  CHECK(ended().steps == 3);
  REQUIRE(saver->snapshots.size() == 1);
  CHECK(read_attachments(saver->snapshots[0]->attachments)->listeners.at("ear") == "after 3");
}

TEST_CASE_FIXTURE(listened_stage, "a listener that dies with a question open is as one that fails") {
  auto ear = listener();
  begin_with({{"ear", ear.handle, true}});
  feed(2);
  caf::anon_send<caf::message_priority::high>(caf::actor_cast<caf::actor>(ear.handle),
                                              caf::exit_msg{ear.handle.address(), caf::exit_reason::kill});
  actors.run();
  feed(4);
  CHECK(loader->settled.size() == 1);
  CHECK(ended().steps == per_epoch);
  CHECK(saver->snapshots.size() == 1);
}

TEST_SUITE_END();
