#include "actors/trainer/trainer_actor.hpp"

#include "tests/actors/trainer/trainer_stage.hpp"

#include <algorithm>
#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;
using steps = std::vector<std::uint64_t>;

TEST_SUITE_BEGIN("actors/trainer");

TEST_CASE_FIXTURE(trainer_stage, "the trainer says what it has built before it asks for data") {
  setup.config.epochs = 2;
  trainer = actors.spawn(troupe::trainer, setup);
  actors.run();
  REQUIRE(supervisor->trainers.size() == 1);
  CHECK(supervisor->trainers[0].first_step == 0);
  CHECK(supervisor->trainers[0].total_steps == 12);
  CHECK(supervisor->trainers[0].num_parameters > 0);
  CHECK(loader->ranges.empty());
  CHECK(loader->buffers.empty());
}

TEST_CASE_FIXTURE(trainer_stage, "a model that does not exist is an error in trainer_ready") {
  setup.config.model.name = "lenat";
  trainer = actors.spawn(troupe::trainer, setup);
  actors.run();
  REQUIRE(supervisor->trainers.size() == 1);
  CHECK(supervisor->trainers[0].error.code == ec::bad_config);
  CHECK(supervisor->trainers[0].error.context.find("lenat") != std::string::npos);
}

TEST_CASE_FIXTURE(trainer_stage, "the flow opens with the range and every buffer that was minted") {
  setup.config.epochs = 3;
  begin();
  REQUIRE(loader->ranges.size() == 1);
  CHECK(loader->ranges[0].first == data_position{0, 0});
  CHECK(loader->ranges[0].end_epoch == 3);
  CHECK(loader->buffers.size() == num_buffers);
  CHECK(loader->buffers[0].layout().capacity == batch_size);
  REQUIRE(supervisor->minted.size() == 1);
  CHECK(supervisor->minted[0].home->minted() == num_buffers);
}

TEST_CASE_FIXTURE(trainer_stage, "a buffer comes back once for every batch") {
  begin();
  for (std::uint64_t i = 0; i < per_epoch; ++i) {
    CHECK(loader->buffers.size() == num_buffers);
    post();
    CHECK(loader->buffers.size() == num_buffers - 1);
    actors.run();
  }
  CHECK(loader->buffers.size() == num_buffers);
  CHECK(supervisor->minted[0].home->retired() == 0);
}

TEST_CASE_FIXTURE(trainer_stage, "steps are told in order, with their batches and epochs") {
  setup.config.epochs = 2;
  begin();
  feed(2 * per_epoch);
  REQUIRE(logger->steps.size() == 12);
  for (std::uint64_t i = 0; i < 12; ++i) {
    const auto& step = logger->steps[i];
    CHECK(step.step == i + 1);
    CHECK(step.epoch == i / per_epoch + 1);
    CHECK(step.first_batch == i);
    CHECK(step.num_batches == 1);
    CHECK(step.num_samples == batch_size);
    CHECK(step.last_in_epoch == (i % per_epoch == 5));
    CHECK(step.loss_sum > 0);
  }
}

TEST_CASE_FIXTURE(trainer_stage, "a step takes as many batches as are accumulated, and an epoch's rest is a step too") {
  setup.config.accumulate = 4;
  begin();
  feed(3);
  CHECK(logger->steps.empty());
  feed(3);
  REQUIRE(logger->steps.size() == 2);
  CHECK(logger->steps[0].num_batches == 4);
  CHECK(logger->steps[0].num_samples == 16);
  CHECK(logger->steps[1].first_batch == 4);
  CHECK(logger->steps[1].num_batches == 2);
  CHECK(logger->steps[1].last_in_epoch);
  CHECK(ended().steps == 2);
}

TEST_CASE_FIXTURE(trainer_stage, "snapshots are taken at the steps that are due and at no other") {
  SUBCASE("every so many steps") {
    setup.config.checkpoint = {.every_steps = 2};
    setup.config.validation = {.every_steps = 3};
    begin();
    feed(5);
    CHECK(steps_of(saver->snapshots) == steps{2, 4});
    CHECK(steps_of(validator->snapshots) == steps{3});
    feed(1);
    CHECK(steps_of(saver->snapshots) == steps{2, 4, 6});
    CHECK(steps_of(validator->snapshots) == steps{3, 6});
  }
  SUBCASE("every epoch") {
    setup.config.epochs = 2;
    setup.config.checkpoint = setup.config.validation = {.every_epochs = 1};
    begin();
    feed(12);
    CHECK(steps_of(saver->snapshots) == steps{6, 12});
    CHECK(steps_of(validator->snapshots) == steps{6, 12});
  }
  SUBCASE("the end is saved, and judged if anything is") {
    setup.config.validation = {.every_steps = 4};
    begin();
    feed(6);
    CHECK(steps_of(saver->snapshots) == steps{6});
    CHECK(steps_of(validator->snapshots) == steps{4, 6});
  }
  SUBCASE("nothing is judged if no validation is ever due") {
    begin();
    feed(6);
    CHECK(steps_of(saver->snapshots) == steps{6});
    CHECK(validator->snapshots.empty());
  }
  CHECK(supervisor->ended.size() == 1);
  CHECK(ended().snapshots_for_validation == validator->snapshots.size());
}

TEST_CASE_FIXTURE(trainer_stage, "saver and validator share one snapshot where both are due") {
  setup.config.checkpoint = setup.config.validation = {.every_steps = 3};
  begin();
  feed(3);
  REQUIRE(saver->snapshots.size() == 1);
  REQUIRE(validator->snapshots.size() == 1);
  CHECK(saver->snapshots[0] == validator->snapshots[0]);
  CHECK(saver->snapshots[0]->has_training_state);
}

TEST_CASE_FIXTURE(trainer_stage, "a snapshot names its run, epoch, step and place, and versions ascend") {
  setup.config.epochs = 2;
  setup.first_version = 7;
  setup.config.checkpoint = {.every_steps = 4};
  begin();
  feed(8);
  REQUIRE(saver->snapshots.size() == 2);
  CHECK(saver->snapshots[0]->tag == snapshot_tag{"test", 0, 4, 7});
  CHECK(saver->snapshots[0]->next == data_position{0, 4});
  CHECK(saver->snapshots[1]->tag == snapshot_tag{"test", 1, 8, 8});
  CHECK(saver->snapshots[1]->next == data_position{1, 2});
  CHECK(saver->snapshots[1]->samples_trained == 32);
}

TEST_CASE_FIXTURE(trainer_stage, "with policy all the trainer pauses when three snapshots are unjudged") {
  setup.config.validation = {.every_steps = 1};
  begin();
  feed(5);
  CHECK(steps_of(validator->snapshots) == steps{1, 2, 3});
  CHECK(logger->steps.size() == 3);
  SUBCASE("and goes on for one step when one is settled") {
    judge(validator->snapshots[0]);
    CHECK(logger->steps.size() == 4);
    judge(validator->snapshots[1]);
    CHECK(logger->steps.size() == 5);
    CHECK(steps_of(validator->snapshots) == steps{1, 2, 3, 4, 5});
  }
  SUBCASE("and goes on for good when the validator dies") {
    caf::anon_send_exit(validator.handle, caf::exit_reason::kill);
    actors.run();
    CHECK(logger->steps.size() == 5);
    feed(1);
    CHECK(logger->steps.size() == 6);
    CHECK(ended().steps == 6);
  }
  SUBCASE("and yet serves a stop at once") {
    stop();
    CHECK(ended().steps == 3);
    CHECK(steps_of(saver->snapshots) == steps{3});
  }
  CHECK(buffers_at_home() == num_buffers);
}

TEST_CASE_FIXTURE(trainer_stage, "with policy latest the trainer never waits for the validator") {
  setup.config.validation = {.every_steps = 1};
  setup.wait_for_validator = false;
  begin();
  feed(6);
  CHECK(steps_of(validator->snapshots) == steps{1, 2, 3, 4, 5, 6});
}

TEST_SUITE_END();
