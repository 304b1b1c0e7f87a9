#include "actors/collator/collator_actor.hpp"
#include "actors/support/components/component_registry.hpp"

#include "tests/support/stub_pipeline.hpp"

#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

class step_that_fails_at_first final : public batch_transform {
public:
  void apply(const batch_pixels& batch, sample_rng&) const override {
    batch.pixels[0] = 42;
    if (batch.index == 0)
      throw std::runtime_error("not this one");
  }
};

/// A collator, the consumer behind it and the loader that dropped tokens go home to.
struct stage {
  deterministic_system actors;
  stub<loader_actor, loader_memory> loader = stub_loader(actors);
  stub<batch_sink, sink_memory> consumer = stub_sink(actors);
  std::shared_ptr<buffer_home> home = home_at(loader.handle);
  collator_actor collator = spawn(0);

  ~stage() { home->close(); }

  collator_actor spawn(std::uint64_t first_batch, collator_setup setup = {}) {
    setup.first_batch = first_batch;
    setup.consumer = consumer.handle;
    setup.loader = loader.handle;
    return actors.spawn(troupe::collator, std::move(setup));
  }

  static collator_setup replacing(const data_position& first = {}) {
    collator_setup setup;
    setup.first = first;
    setup.replace_bad = true;
    return setup;
  }

  /// Batch `id` of four samples, ids 4 * id + slot, label = slot, in slices of `chunk_size`.
  std::vector<batch_slice> batch(std::uint64_t id, std::uint32_t chunk_size = 2) {
    auto slices = mint(home, {4, 1, 2, 2, false}).split(ref_of(id, 10, 4), chunk_size);
    for (auto& slice : slices)
      for (std::uint32_t i = 0; i < slice.count(); ++i) {
        const auto slot = slice.first() + i;
        slice.set_sample(i, 4 * id + slot, slot);
        *reinterpret_cast<float*>(slice.pixels(i)) = static_cast<float>(slot);
      }
    return slices;
  }

  void send(batch_slice& slice, std::vector<bad_sample> bad = {}) {
    const auto id = slice.batch().id;
    caf::anon_send(collator, slice_filled{lease<batch_slice>{std::move(slice)}, std::move(bad), id});
    actors.run();
  }

  [[nodiscard]] std::vector<std::uint64_t> ids_out() const {
    std::vector<std::uint64_t> ids;
    for (const auto& each : consumer->batches)
      ids.push_back(each.id);
    return ids;
  }
};

using ids = std::vector<std::uint64_t>;

} // namespace

TEST_SUITE_BEGIN("actors/collator");

TEST_CASE_FIXTURE(stage, "a batch goes out with its last slice and not before") {
  auto slices = batch(0, 1);
  for (int i : {3, 0, 2}) {
    send(slices[static_cast<std::size_t>(i)]);
    CHECK(consumer->batches.empty());
  }
  send(slices[1]);
  CHECK(ids_out() == ids{0});
  CHECK(consumer->batches[0].num_samples == 4);
  CHECK(consumer->batches[0].next == data_position{0, 1});
  for (std::uint64_t slot = 0; slot < 4; ++slot)
    CHECK(consumer->buffers[0].sample_ids()[slot] == slot);
}

TEST_CASE_FIXTURE(stage, "batches go out in step order, however their slices arrive") {
  auto first = batch(0), second = batch(1), third = batch(2);
  for (auto* slice : {&third[1], &second[0], &third[0], &second[1], &first[1]}) {
    send(*slice);
    CHECK(consumer->batches.empty());
  }
  send(first[0]);
  CHECK(ids_out() == ids{0, 1, 2});
}

TEST_CASE_FIXTURE(stage, "the first batch let out is the one that the collator was told to begin with") {
  collator = spawn(17);
  auto later = batch(18), first = batch(17);
  send(later[0]);
  send(later[1]);
  CHECK(consumer->batches.empty());
  send(first[0]);
  send(first[1]);
  CHECK(ids_out() == ids{17, 18});
}

TEST_CASE_FIXTURE(stage, "the slots of bad samples are closed up, and the samples are named") {
  auto slices = batch(0);
  send(slices[1], {{2, 2, "c", "torn", {}}});
  send(slices[0], {{0, 0, "a", "torn", {}}});
  REQUIRE(ids_out() == ids{0});
  CHECK(consumer->batches[0].num_samples == 2);
  CHECK(consumer->bad[0].size() == 2);
  const auto& buffer = consumer->buffers[0];
  CHECK(buffer.sample_ids()[0] == 1);
  CHECK(buffer.sample_ids()[1] == 3);
  CHECK(buffer.labels()[1] == 3);
  CHECK(buffer.floats()[0] == 1.f);
  CHECK(buffer.floats()[4] == 3.f);
}

TEST_CASE_FIXTURE(stage, "a batch without a good sample goes out empty, for its place counts") {
  auto slices = batch(0), next = batch(1);
  send(slices[0], {{0, 0, "a", "torn", {}}, {1, 1, "b", "torn", {}}});
  send(slices[1], {{2, 2, "c", "torn", {}}, {3, 3, "d", "torn", {}}});
  send(next[0]);
  send(next[1]);
  REQUIRE(ids_out() == ids{0, 1});
  CHECK(consumer->batches[0].num_samples == 0);
  CHECK(consumer->bad[0].size() == 4);
  CHECK(bool(consumer->buffers[0]));
}

TEST_CASE_FIXTURE(stage, "a slice that somebody else has taken does not count") {
  auto slices = batch(0);
  send(slices[0]);
  slice_filled message{lease<batch_slice>{std::move(slices[1])}, {}, 0};
  auto copy = message;
  const auto taken = copy.slice.take();
  REQUIRE(taken);
  caf::anon_send(collator, std::move(message));
  actors.run();
  CHECK(consumer->batches.empty());
}

TEST_CASE_FIXTURE(stage, "a killed collator's slices go home") {
  auto first = batch(0), second = batch(1);
  send(first[0]);
  send(second[1]);
  caf::anon_send_exit(collator, caf::exit_reason::kill);
  actors.run();
  CHECK(loader->dropped.size() == 2);
}

TEST_CASE_FIXTURE(stage, "a batch for a consumer that is dead goes home whole") {
  caf::anon_send_exit(consumer.handle, caf::exit_reason::kill);
  auto slices = batch(0);
  send(slices[0]);
  send(slices[1]);
  CHECK(loader->buffers.size() == 1);
  CHECK(home->retired() == 0);
}

TEST_CASE_FIXTURE(stage, "a bad sample's slot is sent to the loader, and the batch goes out with what comes back") {
  collator = spawn(0, replacing());
  auto slices = batch(0), next = batch(1);
  send(next[0]);
  send(next[1]);
  send(slices[0]);
  send(slices[1], {{2, 2, "c", "torn", {}}});
  CHECK(consumer->batches.empty());
  REQUIRE(loader->replacing.size() == 1);
  auto& slot = loader->replacing[0];
  CHECK(slot.count() == 1);
  CHECK(slot.first() == 2);
  CHECK(slot.position() == 39);
  slot.set_sample(0, 39, 5, 0.5f);
  send(slot);
  REQUIRE(ids_out() == ids{0, 1});
  CHECK(consumer->batches[0].num_samples == 4);
  CHECK(consumer->batches[0].next == data_position{0, 1, 1});
  CHECK(consumer->batches[1].next == data_position{0, 2, 1});
  CHECK(consumer->buffers[0].sample_ids()[2] == 39);
  CHECK(consumer->buffers[0].weights()[2] == 0.5f);
  CHECK(consumer->buffers[0].sample_ids()[3] == 3);
  REQUIRE(consumer->bad[0].size() == 1);
  CHECK(consumer->bad[0][0].id == 2);
}

TEST_CASE_FIXTURE(stage, "a collator that begins in the middle goes on behind the samples that are taken already") {
  collator = spawn(1, replacing({0, 1, 3}));
  auto slices = batch(1);
  send(slices[0], {{5, 1, "f", "torn", {}}});
  send(slices[1]);
  REQUIRE(loader->replacing.size() == 1);
  CHECK(loader->replacing[0].position() == 36);
}

TEST_CASE_FIXTURE(stage, "a killed collator's slot that waits for a replacement goes home when it is lost too") {
  collator = spawn(0, replacing());
  auto slices = batch(0);
  send(slices[0]);
  send(slices[1], {{3, 3, "d", "torn", {}}});
  caf::anon_send_exit(collator, caf::exit_reason::kill);
  actors.run();
  loader->replacing.clear();
  actors.run();
  std::uint32_t num_slots = 0;
  for (const auto& each : loader->dropped)
    num_slots += each.count();
  CHECK(num_slots == 4);
}

TEST_CASE_FIXTURE(stage, "batches are mixed as they go out, and say so") {
  collator_setup setup;
  setup.mix = {.mixup_p = 1, .mixup_alpha = 1};
  setup.seed = 4;
  collator = spawn(0, setup);
  auto slices = batch(0);
  send(slices[1]);
  send(slices[0]);
  REQUIRE(ids_out() == ids{0});
  const auto own = consumer->batches[0].own_share;
  CHECK(own > 0);
  CHECK(own < 1);
  const auto* pixels = consumer->buffers[0].floats();
  for (int slot = 0; slot < 4; ++slot) {
    const auto other = static_cast<float>((slot + 3) % 4);
    CHECK(pixels[4 * slot] == doctest::Approx(own * static_cast<float>(slot) + (1 - own) * other));
  }
}

TEST_CASE_FIXTURE(stage, "batches are not mixed unless they are to be") {
  auto slices = batch(0);
  send(slices[1]);
  send(slices[0]);
  CHECK(consumer->batches[0].own_share == 1);
  CHECK(consumer->buffers[0].floats()[4] == 1);
}

TEST_CASE_FIXTURE(stage, "a step that throws leaves the batch's samples out, and the next batch is none the worse") {
  component_registry::instance().batch_transforms.push_back(
    {{"fails_at_first", "", {}, "tested"},
     [](const parameters&) { return std::make_unique<step_that_fails_at_first>(); }});
  collator_setup setup;
  setup.batch_steps = {{"fails_at_first", {}}};
  setup.mix = {.mixup_p = 1};
  collator = spawn(0, setup);
  auto slices = batch(0), next = batch(1);
  send(slices[0]);
  send(slices[1], {{3, 3, "d", "torn", {}}});
  send(next[0]);
  send(next[1]);
  REQUIRE(ids_out() == ids{0, 1});
  CHECK(consumer->batches[0].num_samples == 0);
  CHECK(consumer->batches[0].own_share == 1);
  REQUIRE(consumer->bad[0].size() == 4);
  CHECK(consumer->bad[0][0].reason == "torn");
  for (std::size_t i = 1; i < 4; ++i) {
    CHECK(consumer->bad[0][i].id == i - 1);
    CHECK(consumer->bad[0][i].stage == "collator");
    CHECK(consumer->bad[0][i].reason.find("fails_at_first (plugin tested): not this one") != std::string::npos);
  }
  CHECK(bool(consumer->buffers[0]));
  CHECK(consumer->batches[1].num_samples == 4);
  CHECK(consumer->bad[1].empty());
  CHECK(consumer->buffers[1].floats()[0] == 42);
}

TEST_CASE_FIXTURE(stage, "status counts the batches that went out") {
  auto slices = batch(0);
  send(slices[0]);
  send(slices[1]);
  const auto status = actors.ask<actor_status>(collator, status_atom_v);
  REQUIRE(status);
  CHECK(status->done == 1);
}

TEST_SUITE_END();
