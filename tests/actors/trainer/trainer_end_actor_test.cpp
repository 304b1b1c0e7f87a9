#include "tests/actors/trainer/trainer_stage.hpp"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <utility>
#include <vector>

#include "tests/actors/trainer/learner_fixture.hpp"
#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;
using steps = std::vector<std::uint64_t>;

namespace {

constexpr float not_a_number = std::numeric_limits<float>::quiet_NaN();

} // namespace

TEST_SUITE_BEGIN("actors/trainer");

TEST_CASE_FIXTURE(trainer_stage, "after the last batch training has ended, once and with whole books") {
  setup.config.epochs = 2;
  begin();
  feed(11);
  CHECK(supervisor->ended.empty());
  feed(1);
  CHECK(ended().reason == stop_reason::none);
  CHECK(ended().error.code == ec::none);
  CHECK(ended().epochs == 2);
  CHECK(ended().steps == 12);
  CHECK(ended().batches == 12);
  CHECK(ended().samples_trained == 48);
  CHECK(ended().samples_here == 48);
  CHECK(ended().samples_skipped == 0);
  stop();
  CHECK(supervisor->ended.size() == 1);
}

TEST_CASE_FIXTURE(trainer_stage, "a stop ends training with a checkpoint of the last step") {
  begin();
  feed(2);
  stop(stop_reason::signal, true);
  CHECK(ended().reason == stop_reason::signal);
  CHECK(ended().steps == 2);
  CHECK(steps_of(saver->snapshots) == steps{2});
  feed(1);
  CHECK(logger->steps.size() == 2);
  CHECK(buffers_at_home() == num_buffers);
}

TEST_CASE_FIXTURE(trainer_stage, "a stop that overtakes the word to begin ends training before its first batch") {
  trainer = actors.spawn(troupe::trainer, setup);
  actors.run();
  caf::anon_send(trainer, begin_training{loader.handle, validator.handle});
  stop(stop_reason::signal, true);
  CHECK(ended().reason == stop_reason::signal);
  CHECK(ended().steps == 0);
  CHECK(saver->snapshots.empty());
  CHECK(loader->buffers.empty());
}

TEST_CASE_FIXTURE(trainer_stage, "a stop without saving saves nothing") {
  begin();
  feed(2);
  stop(stop_reason::failure, false);
  CHECK(ended().reason == stop_reason::failure);
  CHECK(saver->snapshots.empty());
}

TEST_CASE_FIXTURE(trainer_stage, "a stop at a step that is saved already does not save it again") {
  setup.config.checkpoint = {.every_steps = 2};
  begin();
  feed(2);
  stop();
  CHECK(ended().steps == 2);
  CHECK(steps_of(saver->snapshots) == steps{2});
}

TEST_CASE_FIXTURE(trainer_stage, "a stop in the middle of an accumulation group goes back to the last step") {
  setup.config.accumulate = 3;
  begin();
  feed(5);
  stop();
  CHECK(ended().steps == 1);
  CHECK(ended().samples_trained == 12);
  REQUIRE(saver->snapshots.size() == 1);
  CHECK(saver->snapshots[0]->tag.step == 1);
  CHECK(saver->snapshots[0]->next == data_position{0, 3});
  CHECK(saver->snapshots[0]->samples_trained == 12);
  CHECK(saver->snapshots[0]->batches_trained == 3);
}

TEST_CASE_FIXTURE(trainer_stage, "a stop overtakes the batches that wait, and their buffers come back") {
  begin();
  for (int i = 0; i < num_buffers; ++i)
    post();
  stop();
  CHECK(ended().steps <= 1);
  CHECK(buffers_at_home() == num_buffers);
}

TEST_CASE_FIXTURE(trainer_stage,
                  "a loss that is not finite ends training with the batch named and nothing spoilt saved") {
  setup.config.checkpoint = {.every_steps = 1};
  begin();
  feed(2);
  feed(1, not_a_number);
  REQUIRE(saver->rejected.size() == 1);
  CHECK(saver->rejected[0].batch.id == 2);
  CHECK_FALSE(saver->rejected[0].tensors.empty());
  CHECK_FALSE(saver->rejected[0].reason.empty());
  CHECK(ended().error.code == ec::nonfinite);
  CHECK(ended().reason != stop_reason::none);
  CHECK(ended().samples_trained == 8);
  CHECK(ended().samples_skipped == 4);
  CHECK(saver->snapshots.size() >= 2);
  for (const auto& each : saver->snapshots) {
    CHECK(all_finite(each->weights));
    CHECK(all_finite(each->optimizer_state));
  }
  CHECK(buffers_at_home() == num_buffers);
}

TEST_CASE_FIXTURE(trainer_stage, "a loss that is not finite costs its step alone if the recipe says so") {
  setup.config.nonfinite = on_nonfinite::skip_step;
  begin();
  feed(2);
  feed(1, not_a_number);
  CHECK(supervisor->ended.empty());
  feed(3);
  CHECK(saver->rejected.size() == 1);
  CHECK(ended().error.code == ec::none);
  CHECK(ended().samples_trained == 20);
  CHECK(ended().samples_skipped == 4);
  REQUIRE_FALSE(saver->snapshots.empty());
  CHECK(all_finite(saver->snapshots.back()->weights));
  CHECK(saver->snapshots.back()->next == data_position{1, 0});
}

TEST_CASE_FIXTURE(trainer_stage, "a batch without a good sample is skipped and counted, and is no step") {
  setup.config.checkpoint = {.every_steps = 2};
  begin();
  SUBCASE("in the middle of an epoch") {
    feed(2);
    feed_all_bad();
    CHECK(logger->steps.size() == 2);
    CHECK(steps_of(saver->snapshots) == steps{2});
    CHECK(buffers_at_home() == num_buffers);
    feed(3);
  }
  SUBCASE("at its beginning") {
    feed_all_bad();
    CHECK(logger->steps.empty());
    CHECK(saver->snapshots.empty());
    feed(5);
  }
  SUBCASE("at its end, which is an end all the same") {
    feed(5);
    feed_all_bad();
    CHECK(logger->steps.back().last_in_epoch);
  }
  CHECK(ended().error.code == ec::none);
  CHECK(ended().steps == 5);
  CHECK(ended().samples_trained == 20);
  CHECK(ended().samples_skipped == 4);
  CHECK(steps_of(saver->snapshots) == steps{2, 4, 5});
}

TEST_CASE("a run that was stopped and resumed ends with the same bits") {
  trainer_stage whole;
  whole.setup.config.checkpoint = {.every_steps = 2};
  whole.setup.config.epochs = 2;
  whole.begin();
  whole.feed(12);
  REQUIRE_FALSE(whole.saver->snapshots.empty());

  trainer_stage first;
  first.setup.config = whole.setup.config;
  first.begin();
  first.feed(7);
  first.stop();
  REQUIRE_FALSE(first.saver->snapshots.empty());

  trainer_stage second;
  second.setup.config = whole.setup.config;
  second.setup.resume_from = first.saver->snapshots.back();
  second.setup.first_version = 100;
  second.next_id = 7;
  second.begin();
  CHECK(second.supervisor->trainers[0].first_step == 7);
  REQUIRE(second.loader->ranges.size() == 1);
  CHECK(second.loader->ranges[0].first == data_position{1, 1});
  second.feed(5);

  REQUIRE_FALSE(second.saver->snapshots.empty());
  CHECK(same_state(*second.saver->snapshots.back(), *whole.saver->snapshots.back()));
  CHECK(second.ended().steps == 12);
  CHECK(second.ended().samples_trained == 48);
  CHECK(second.ended().samples_here == 20);
  CHECK(second.logger->steps.back().window_loss_sum == whole.logger->steps.back().window_loss_sum);
}

TEST_CASE_FIXTURE(trainer_stage, "a snapshot of another model is refused") {
  auto other = std::make_shared<snapshot>();
  other->has_training_state = true;
  setup.resume_from = other;
  trainer = actors.spawn(troupe::trainer, setup);
  actors.run();
  REQUIRE(supervisor->trainers.size() == 1);
  CHECK(supervisor->trainers[0].error.code == ec::mismatch);
}

TEST_CASE_FIXTURE(trainer_stage,
                  "every buffer is accounted for when trainer and loader are killed, whatever they hold") {
  setup.config.validation = {.every_steps = 1};
  begin();
  const auto home = supervisor->minted[0].home;
  feed(4); // The fourth batch is held back: three snapshots are unjudged.
  caf::anon_send_exit(trainer, caf::exit_reason::kill);
  caf::anon_send_exit(loader.handle, caf::exit_reason::kill);
  actors.run();
  loader->buffers.clear();
  actors.run();
  CHECK(home->minted() == num_buffers);
  CHECK(home->retired() == num_buffers);
}

TEST_SUITE_END();
