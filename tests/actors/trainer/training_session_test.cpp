#include "actors/trainer/training_session.hpp"

#include "tests/actors/trainer/learner_fixture.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr std::uint32_t batch_size = 4;
constexpr std::uint64_t batches_per_epoch = 5;

/// Feeds a session with batches that are functions of their ids.
struct session_driver {
  explicit session_driver(trainer_config config, snapshot_ptr from = nullptr, std::uint64_t version = 1) {
    auto made = training_session::make({std::move(config), toy_io, "run", batches_per_epoch, std::move(from), version});
    if (!made)
      FAIL(made.error().context);
    session = std::move(*made);
    position = session->position();
  }
  ~session_driver() { home->close(); }

  batch_outcome feed(std::uint32_t num_samples = batch_size, std::size_t num_bad = 0, float poison = 0) {
    batch_ref ref;
    ref.epoch = position.epoch;
    ref.index = position.batch;
    ref.id = ref.epoch * batches_per_epoch + ref.index;
    ref.num_samples = num_samples;
    ref.last_in_epoch = ref.index + 1 == batches_per_epoch;
    ref.next = ref.last_in_epoch ? data_position{ref.epoch + 1, 0} : data_position{ref.epoch, ref.index + 1};
    position = ref.next;
    for (std::size_t i = 0; i < batch_size * buffer.layout().values_per_sample(); ++i)
      buffer.floats()[i] = std::sin(float(i + 31 * ref.id)) + poison;
    for (std::uint32_t i = 0; i < batch_size; ++i) {
      buffer.labels()[i] = std::int64_t((ref.id + i) % 4);
      buffer.sample_ids()[i] = ref.id * batch_size + i;
    }
    times_freed = 0;
    auto outcome = session->train(ref, std::vector<bad_sample>(num_bad), buffer, [this] { ++times_freed; });
    CHECK(times_freed == 1);
    return outcome;
  }

  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_buffer buffer{
    home, {batch_size, 1, 12, 12, true}, {new std::byte[batch_size * 144 * 4], std::default_delete<std::byte[]>()}};
  std::unique_ptr<training_session> session;
  data_position position;
  int times_freed = 0;
};

trainer_config recipe() {
  auto config = toy_recipe();
  config.model.dropout = 0.5;
  config.epochs = 2;
  config.checkpoint = {0, 1};
  config.validation = {4, 0};
  config.metrics_every = 3;
  return config;
}

} // namespace

TEST_SUITE("actors/trainer") {

  TEST_CASE("a step per batch, in order, and the end after the last batch of the last epoch") {
    session_driver unit(recipe());
    CHECK(unit.session->total_steps() == 10);
    for (std::uint64_t i = 0; i < 10; ++i) {
      auto outcome = unit.feed();
      REQUIRE(outcome.step);
      CHECK(outcome.step->step == i + 1);
      CHECK(outcome.step->epoch == i / 5 + 1);
      CHECK(outcome.step->num_samples == batch_size);
      CHECK(outcome.finished == (i == 9));
    }
    CHECK(unit.session->samples_trained() == 40);
    CHECK(unit.session->position() == data_position{2, 0});
  }

  TEST_CASE("snapshots are taken where they are due, one where both are due, and at the end both are") {
    session_driver unit(recipe());
    for (std::uint64_t step = 1; step <= 10; ++step) {
      auto outcome = unit.feed();
      CHECK(bool(outcome.to_save) == (step == 5 || step == 10));
      CHECK(bool(outcome.to_validate) == (step == 4 || step == 8 || step == 10));
      if (step == 10) {
        CHECK(outcome.to_save == outcome.to_validate);
        CHECK(outcome.to_save->tag == snapshot_tag{"run", 2, 10, 4});
      }
      if (step == 4)
        CHECK_FALSE(outcome.to_validate->has_training_state);
    }
  }

  TEST_CASE("micro-batches make a step; the tail of an epoch is a step too") {
    auto config = recipe();
    config.accumulate = 2;
    session_driver unit(config);
    CHECK(unit.session->total_steps() == 6);
    std::vector<std::uint32_t> sizes;
    for (int i = 0; i < 10; ++i)
      if (auto outcome = unit.feed(i % 5 == 4 ? 2 : batch_size); outcome.step) {
        sizes.push_back(outcome.step->num_samples);
        CHECK(outcome.step->first_batch == std::uint64_t(i % 5 == 4 ? i : i - 1));
      }
    CHECK(sizes == std::vector<std::uint32_t>{8, 8, 2, 8, 8, 2});
  }

  TEST_CASE("stopped in the middle of a group, it goes on from the last step, bit for bit") {
    auto config = recipe();
    config.accumulate = 2;
    session_driver whole(config);
    for (int i = 0; i < 10; ++i)
      whole.feed();
    auto expected_end = whole.session->stop();
    session_driver first(config);
    for (int i = 0; i < 8; ++i) // Steps end after 2, 4, 5 and 7: the eighth batch is half a group.
      first.feed();
    auto stopped = first.session->stop();
    REQUIRE(stopped);
    REQUIRE(*stopped);
    CHECK((*stopped)->next == data_position{1, 2});
    CHECK((*stopped)->samples_trained == 7 * batch_size);
    session_driver second(config, *stopped, 50);
    CHECK(second.position == data_position{1, 2});
    batch_outcome last;
    while (!last.finished)
      last = second.feed();
    REQUIRE(last.to_save);
    CHECK(last.to_save->tag.version == 50); // The first of its process.
    session_driver again(config);
    batch_outcome uninterrupted;
    while (!uninterrupted.finished)
      uninterrupted = again.feed();
    CHECK(same_state(*uninterrupted.to_save, *last.to_save));
    CHECK(uninterrupted.to_save->sums == last.to_save->sums);
  }

  TEST_CASE("there is nothing to save twice, and nothing before the first step") {
    session_driver unit(recipe());
    CHECK(*unit.session->stop() == nullptr);
    for (int i = 0; i < 5; ++i)
      unit.feed();
    CHECK(*unit.session->stop() == nullptr);
    unit.feed();
    CHECK(*unit.session->stop() != nullptr);
  }

  TEST_CASE("the window of sums closes at every metrics row and at the epoch's end") {
    session_driver unit(recipe());
    std::vector<std::uint64_t> samples;
    for (int i = 0; i < 10; ++i)
      samples.push_back(unit.feed().step->window_samples);
    CHECK(samples == std::vector<std::uint64_t>{4, 8, 12, 4, 8, 4, 4, 8, 12, 4});
  }

  TEST_CASE("skipped samples are counted, and a batch of none frees its buffer") {
    session_driver unit(recipe());
    unit.feed(2, 2);
    auto outcome = unit.feed(0, 4);
    CHECK(unit.session->samples_trained() == 2);
    CHECK(unit.session->samples_skipped() == 6);
    CHECK(unit.session->position() == data_position{0, 2});
    CHECK(outcome.error.code == ec::none);
  }

  TEST_CASE("a loss that is not finite stops, keeps the batch, and leaves the weights as they were") {
    session_driver unit(recipe());
    unit.feed();
    auto outcome = unit.feed(batch_size, 0, std::numeric_limits<float>::quiet_NaN());
    CHECK(outcome.error.code == ec::nonfinite);
    REQUIRE(outcome.rejected);
    CHECK(outcome.rejected->batch.id == 1);
    REQUIRE(outcome.rejected->tensors.size() == 3);
    CHECK(outcome.rejected->tensors[0].value.shape == std::vector<std::int64_t>{4, 12, 12, 1});
    const auto* ids = reinterpret_cast<const std::int64_t*>(outcome.rejected->tensors[2].value.bytes.get());
    CHECK(ids[3] == 7);
    CHECK(unit.session->stop());
  }

  TEST_CASE("told to skip such steps, it goes on") {
    auto config = recipe();
    config.nonfinite = on_nonfinite::skip_step;
    session_driver unit(config);
    auto outcome = unit.feed(batch_size, 0, std::numeric_limits<float>::infinity());
    CHECK(outcome.error.code == ec::none);
    CHECK(outcome.rejected);
    CHECK(outcome.step->window_samples == 0);
    CHECK(std::isfinite(unit.feed().step->loss_sum));
  }

} // TEST_SUITE
