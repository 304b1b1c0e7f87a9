#include "actors/augmenter/augmenter_actor.hpp"

#include "actors/augmenter/transform_pipeline.hpp"
#include "tests/support/stub_pipeline.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

constexpr std::uint32_t side = 8;

/// A grey image of `value`; the label is the id plus 100.
encoded_sample grey(std::uint64_t id, std::uint8_t value, std::size_t num_bytes = side * side) {
  auto bytes = std::make_shared<std::vector<std::byte>>(num_bytes, std::byte{value});
  encoded_sample sample;
  sample.id = id;
  sample.label = static_cast<std::int64_t>(id + 100);
  sample.channels = 1;
  sample.height = sample.width = side;
  sample.bytes = *bytes;
  sample.owner = std::move(bytes);
  return sample;
}

std::shared_ptr<const transform_pipeline> no_transforms() {
  auto made = transform_pipeline::make({}, {1, side, side});
  REQUIRE(made);
  return std::make_shared<const transform_pipeline>(std::move(*made));
}

/// One augmenter between a stub loader and a stub collator, and a batch of four slots in two slices.
struct stage {
  deterministic_system actors;
  stub<loader_actor, loader_memory> loader = stub_loader(actors);
  stub<collator_actor, collator_memory> collator = stub_collator(actors);
  std::shared_ptr<buffer_home> home = home_at(loader.handle);
  std::vector<batch_slice> slices = mint(home, {4, 1, side, side, false}).split(ref_of(7, 10, 4), 2);
  augmenter_actor augmenter =
    actors.spawn(troupe::augmenter, augmenter_setup{no_transforms(), 1, "augmenter", loader.handle, collator.handle});

  stage() { actors.run(); }
  ~stage() { home->close(); }

  static encoded_chunk chunk_of(std::vector<encoded_sample> samples, std::uint32_t first_slot = 0) {
    encoded_chunk chunk;
    chunk.batch = 7;
    chunk.first_slot = first_slot;
    chunk.position = first_slot;
    chunk.samples = std::move(samples);
    return chunk;
  }

  void send(encoded_chunk chunk, batch_slice slice) {
    caf::anon_send(augmenter, chunk_ready{std::make_shared<const encoded_chunk>(std::move(chunk)),
                                          lease<batch_slice>{std::move(slice)}});
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/augmenter");

TEST_CASE_FIXTURE(stage, "an augmenter asks for its first chunk by itself, once") {
  REQUIRE(loader->asked.size() == 1);
  CHECK(loader->asked[0] == augmenter);
}

TEST_CASE_FIXTURE(stage, "a chunk's samples are in their slots when the collator gets the slice") {
  send(chunk_of({grey(20, 0), grey(21, 255)}, 2), std::move(slices[1]));
  actors.run();
  REQUIRE(collator->slices.size() == 1);
  const auto& slice = collator->slices[0];
  CHECK(slice.batch().id == 7);
  CHECK(slice.first() == 2);
  for (std::uint32_t i = 0; i < side * side; ++i) {
    CHECK(reinterpret_cast<const float*>(slice.pixels(0))[i] == 0.f);
    CHECK(reinterpret_cast<const float*>(slice.pixels(1))[i] == 1.f);
  }
  CHECK(collator->bad[0].empty());
}

TEST_CASE_FIXTURE(stage, "ids and labels come with the pixels") {
  send(chunk_of({grey(20, 1), grey(21, 2)}), std::move(slices[0]));
  send(chunk_of({grey(22, 3), grey(23, 4)}, 2), std::move(slices[1]));
  actors.run();
  REQUIRE(collator->slices.size() == 2);
  const auto whole = batch_buffer::join(collator->slices);
  REQUIRE(whole);
  for (std::uint64_t slot = 0; slot < 4; ++slot) {
    CHECK(whole->sample_ids()[slot] == 20 + slot);
    CHECK(whole->labels()[slot] == static_cast<std::int64_t>(120 + slot));
  }
}

TEST_CASE_FIXTURE(stage, "after a chunk the loader hears that it is done and that another is wanted") {
  send(chunk_of({grey(20, 1), grey(21, 2)}, 2), std::move(slices[1]));
  actors.run();
  REQUIRE(loader->done.size() == 1);
  CHECK(loader->done[0].batch == 7);
  CHECK(loader->done[0].position == 2);
  CHECK(loader->done[0].bad.empty());
  CHECK(loader->asked.size() == 2);
  CHECK(loader->dropped.empty());
}

TEST_CASE_FIXTURE(stage, "a sample that is not what it says is named with its slot, and the others are filled") {
  send(chunk_of({grey(20, 1, 5), grey(21, 255)}, 2), std::move(slices[1]));
  actors.run();
  REQUIRE(collator->slices.size() == 1);
  REQUIRE(collator->bad[0].size() == 1);
  CHECK(collator->bad[0][0].id == 20);
  CHECK(collator->bad[0][0].slot == 2);
  CHECK_FALSE(collator->bad[0][0].reason.empty());
  CHECK(*reinterpret_cast<const float*>(collator->slices[0].pixels(1)) == 1.f);
  REQUIRE(loader->done.size() == 1);
  REQUIRE(loader->done[0].bad.size() == 1);
  CHECK(loader->done[0].bad[0].id == 20);
}

TEST_CASE_FIXTURE(stage, "a sample that could not be read reaches the collator as bad") {
  auto chunk = chunk_of({grey(20, 255), encoded_sample{}});
  chunk.unreadable.push_back({.id = 21, .slot = 1, .name = "images[21]", .reason = "gone"});
  send(std::move(chunk), std::move(slices[0]));
  actors.run();
  REQUIRE(collator->slices.size() == 1);
  REQUIRE(collator->bad[0].size() == 1);
  CHECK(collator->bad[0][0].id == 21);
  CHECK(collator->bad[0][0].slot == 1);
  CHECK(collator->bad[0][0].reason == "gone");
  CHECK(*reinterpret_cast<const float*>(collator->slices[0].pixels(0)) == 1.f);
}

TEST_CASE_FIXTURE(stage, "a chunk whose slice somebody else has taken is passed over and another is asked for") {
  chunk_ready message{std::make_shared<const encoded_chunk>(chunk_of({grey(20, 1), grey(21, 2)})),
                      lease<batch_slice>{std::move(slices[0])}};
  auto copy = message;
  const auto taken = copy.slice.take();
  REQUIRE(taken);
  caf::anon_send(augmenter, std::move(message));
  actors.run();
  CHECK(collator->slices.empty());
  CHECK(loader->asked.size() == 2);
}

TEST_CASE_FIXTURE(stage, "the slices of a killed augmenter's waiting chunks go home") {
  send(chunk_of({grey(20, 1), grey(21, 2)}), std::move(slices[0]));
  send(chunk_of({grey(22, 3), grey(23, 4)}, 2), std::move(slices[1]));
  caf::anon_send<caf::message_priority::high>(caf::actor_cast<caf::actor>(augmenter),
                                              caf::exit_msg{augmenter.address(), caf::exit_reason::kill});
  actors.run();
  CHECK(collator->slices.empty());
  CHECK(loader->dropped.size() == 2);
}

TEST_CASE_FIXTURE(stage, "status counts the chunks") {
  send(chunk_of({grey(20, 1), grey(21, 2)}), std::move(slices[0]));
  const auto status = actors.ask<actor_status>(augmenter, status_atom_v);
  REQUIRE(status);
  CHECK(status->done == 1);
}

TEST_SUITE_END();
