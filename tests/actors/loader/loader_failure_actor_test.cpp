#include "tests/actors/loader/loader_stage.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(loader_stage, "a chunk that an augmenter died with goes to another, with the same samples") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  lose_newest(a, true);
  ask(b);
  REQUIRE(b->chunks.size() == 1);
  CHECK(place_of(b->chunks[0]) == place{0, 0});
  CHECK(ids_in(b->chunks[0]) == ids_in(a->chunks[0]));
  REQUIRE(bool(b->slices[0]));
  CHECK(b->slices[0].failed_attempts() == 1);
}

TEST_CASE_FIXTURE(loader_stage, "a slice that is lost after its chunk was reported done is filled again") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  finish_newest_for_nothing(a, "blur#1");
  ask(b);
  REQUIRE(b->chunks.size() == 1);
  CHECK(place_of(b->chunks[0]) == place{0, 0});
  CHECK(ids_in(b->chunks[0]) == ids_in(a->chunks[0]));
  CHECK(b->slices[0].failed_attempts() == 1);
}

TEST_CASE_FIXTURE(loader_stage,
                  "a sample that kills a later stage is tried with its chunk, alone, and then named as that stage's") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  const auto poison = a->chunks[0]->samples[0].id;
  std::vector<std::size_t> sizes; // Of the chunks that killed somebody.
  for (int i = 0; i < 20 && supervisor->bad_samples.empty(); ++i) {
    const auto ids = ids_in(a->chunks.back());
    if (std::find(ids.begin(), ids.end(), poison) == ids.end()) {
      finish_newest(a);
    } else {
      sizes.push_back(ids.size());
      finish_newest_for_nothing(a, "blur#1");
    }
    ask(a);
  }
  CHECK(sizes == std::vector<std::size_t>{2, 2, 1});
  REQUIRE(supervisor->bad_samples.size() == 1);
  CHECK(supervisor->bad_samples[0].id == poison);
  CHECK(supervisor->bad_samples[0].stage == "blur#1");
  CHECK(supervisor->bad_samples[0].slot == 0);
  CHECK_FALSE(supervisor->bad_samples[0].name.empty());
  // The other sample of the chunk comes through, and with it all that was begun.
  ask(a, 2);
  while (!a->slices.empty()) {
    if (a->slices.back())
      finish_newest(a);
    a->slices.pop_back();
    a->chunks.pop_back();
  }
  CHECK(batch_buffer::join(collator->slices));
}

TEST_CASE_FIXTURE(loader_stage, "slices that somebody died with before it began them are filled again, without end") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  const auto ids = ids_in(a->chunks[0]);
  for (int i = 0; i < 10; ++i) {
    finish_newest_for_nothing(a, "");
    ask(a);
    CHECK(ids_in(a->chunks.back()) == ids);
  }
  CHECK(supervisor->bad_samples.empty());
}

TEST_CASE_FIXTURE(loader_stage, "a lone sample that failed twice is not given up before it has been begun again") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  lose_newest(a, true);
  ask(a);
  lose_newest(a, true);
  ask(a);
  REQUIRE(a->chunks.back()->samples.size() == 1);
  lose_newest(a, false);
  CHECK(supervisor->bad_samples.empty());
}

TEST_CASE_FIXTURE(loader_stage, "what fills a bad sample's slot is not held to that sample's failures") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  for (int i = 0; i < 3; ++i) {
    lose_newest(a, true);
    ask(a);
  }
  REQUIRE(supervisor->bad_samples.size() == 1);
  REQUIRE(collator->slices.size() == 1);
  auto slot = std::move(collator->slices[0]);
  slot.fill_from(11);
  caf::anon_send(loader, replacement_wanted{0, lease<batch_slice>{std::move(slot)}});
  ask(b);
  lose_newest(b, true);
  ask(b, 3);
  const auto fills = [](const chunk_ptr& chunk) { return chunk->position == 11; };
  CHECK(std::count_if(b->chunks.begin(), b->chunks.end(), fills) == 2);
  CHECK(supervisor->bad_samples.size() == 1);
}

TEST_CASE_FIXTURE(loader_stage, "a chunk on its way to an augmenter that is dead already goes to another") {
  open();
  serve();
  ask(a);
  caf::anon_send_exit(a.handle, caf::exit_reason::kill);
  give_buffers(1);
  ask(b);
  REQUIRE(b->chunks.size() == 1);
  CHECK(place_of(b->chunks[0]) == place{0, 0});
  CHECK(b->chunks[0]->samples.size() == 2);
}

TEST_CASE_FIXTURE(loader_stage, "a slice that came back before anybody had begun it is not held against its samples") {
  open();
  serve();
  give_buffers(1);
  for (int i = 0; i < 5; ++i) {
    ask(a);
    lose_newest(a, false);
  }
  ask(b);
  REQUIRE(b->chunks.size() == 1);
  CHECK(b->chunks[0]->samples.size() == 2);
  CHECK(supervisor->bad_samples.empty());
}

TEST_CASE_FIXTURE(loader_stage, "a sample that kills everybody is tried with its chunk, alone, and then named as bad") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  const auto poison = a->chunks[0]->samples[1].id;
  std::vector<std::size_t> sizes; // Of the chunks that killed somebody.
  for (int i = 0; i < 20 && supervisor->bad_samples.empty(); ++i) {
    const auto ids = ids_in(a->chunks.back());
    if (std::find(ids.begin(), ids.end(), poison) == ids.end()) {
      finish_newest(a);
    } else {
      sizes.push_back(ids.size());
      lose_newest(a, true);
    }
    ask(a);
  }
  REQUIRE(supervisor->bad_samples.size() == 1);
  CHECK(supervisor->bad_samples[0].id == poison);
  CHECK_FALSE(supervisor->bad_samples[0].name.empty());
  CHECK_FALSE(supervisor->bad_samples[0].reason.empty());
  REQUIRE(sizes.size() >= 3);
  CHECK(std::count(sizes.begin(), sizes.end(), 2) == 2);
  const auto named = std::find_if(collator->bad.begin(), collator->bad.end(), [](const auto& x) { return !x.empty(); });
  REQUIRE(named != collator->bad.end());
  CHECK(named->front().id == poison);
  CHECK(named->front().slot == 1);
}

TEST_CASE_FIXTURE(loader_stage, "a bad sample that an augmenter reports is passed on with its name") {
  open();
  serve();
  give_buffers(1);
  ask(a);
  const auto& chunk = a->chunks[0];
  bad_sample bad{.id = chunk->samples[1].id, .slot = 1, .name = {}, .reason = "torn", .stage = {}};
  caf::anon_send(loader, chunk_done{chunk->batch, chunk->position, {bad}, {}});
  actors.run();
  REQUIRE(supervisor->bad_samples.size() == 1);
  CHECK(supervisor->bad_samples[0].id == bad.id);
  CHECK(supervisor->bad_samples[0].reason == "torn");
  CHECK_FALSE(supervisor->bad_samples[0].name.empty());
}

TEST_CASE_FIXTURE(loader_stage, "nothing is handed out for a collator that is dead") {
  open();
  serve();
  caf::anon_send_exit(collator.handle, caf::exit_reason::kill);
  actors.run();
  give_buffers(1);
  ask(a);
  CHECK(a->chunks.empty());
  const auto status = actors.ask<actor_status>(loader, status_atom_v);
  REQUIRE(status);
  CHECK(status->doing.find("collator") != std::string::npos);
}

TEST_CASE_FIXTURE(loader_stage, "all buffers are given back when a loader with chunks out is killed") {
  open();
  serve();
  give_buffers(3);
  ask(a, 3);
  caf::anon_send_exit(loader, caf::exit_reason::kill);
  actors.run();
  a->slices.clear();
  actors.run();
  CHECK(home->minted() == 3);
  CHECK(home->retired() == 3);
}

TEST_SUITE_END();
