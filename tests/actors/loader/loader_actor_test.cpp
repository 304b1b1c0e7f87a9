#include "tests/actors/loader/loader_stage.hpp"

#include <algorithm>
#include <cstdint>
#include <numeric>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(loader_stage, "describe says what is in the data set") {
  const auto opened = open();
  CHECK(opened.error.code == ec::none);
  CHECK(opened.num_samples == 12);
  CHECK(opened.samples_per_epoch == 12);
  CHECK(opened.batches_per_epoch == 3);
  CHECK(opened.channels == 1);
  CHECK(opened.height == 8);
  CHECK(opened.width == 8);
  CHECK(opened.num_classes == 3);
}

TEST_CASE_FIXTURE(loader_stage, "describe of a data set that cannot be opened says why") {
  auto config = twelve_samples();
  config.data.size = 0;
  const auto opened = open(config);
  CHECK(opened.error.code == ec::bad_config);
  CHECK_FALSE(opened.error.context.empty());
}

TEST_CASE_FIXTURE(loader_stage, "without a free buffer no chunk goes out, however often augmenters ask") {
  open();
  serve();
  ask(a, 3);
  CHECK(a->chunks.empty());
}

TEST_CASE_FIXTURE(loader_stage, "no chunk goes out before the range is named") {
  open();
  give_buffers(1);
  ask(a);
  CHECK(a->chunks.empty());
  serve();
  CHECK(a->chunks.size() == 1);
}

TEST_CASE_FIXTURE(loader_stage, "a buffer is credit for one batch") {
  open();
  serve();
  give_buffers(1);
  ask(a, 5);
  CHECK(a->chunks.size() == 2);
  give_buffers(1);
  CHECK(a->chunks.size() == 4);
}

TEST_CASE_FIXTURE(loader_stage, "a chunk goes out for every next and not without one") {
  open();
  serve();
  give_buffers(3);
  CHECK(a->chunks.empty());
  ask(a);
  CHECK(a->chunks.size() == 1);
  ask(b);
  ask(a);
  CHECK(a->chunks.size() == 2);
  CHECK(b->chunks.size() == 1);
}

TEST_CASE_FIXTURE(loader_stage, "chunks go out in the order of the batches, each to whoever asked first") {
  open();
  serve();
  ask(a);
  ask(b);
  ask(a);
  give_buffers(2);
  REQUIRE(a->chunks.size() == 2);
  REQUIRE(b->chunks.size() == 1);
  CHECK(place_of(a->chunks[0]) == place{0, 0});
  CHECK(place_of(b->chunks[0]) == place{0, 2});
  CHECK(place_of(a->chunks[1]) == place{1, 0});
}

TEST_CASE_FIXTURE(loader_stage, "an epoch serves every sample once, in slices that match the chunks") {
  open();
  serve();
  give_buffers(3);
  ask(a, 10);
  std::vector<std::uint64_t> ids;
  REQUIRE(a->chunks.size() == 6);
  for (std::size_t i = 0; i < 6; ++i) {
    const auto& slice = a->slices[i];
    CHECK(slice.batch().id == a->chunks[i]->batch);
    CHECK(slice.first() == a->chunks[i]->first_slot);
    CHECK(slice.count() == a->chunks[i]->samples.size());
    for (auto id : ids_in(a->chunks[i]))
      ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  std::vector<std::uint64_t> all(12);
  std::iota(all.begin(), all.end(), 0);
  CHECK(ids == all);
}

TEST_CASE_FIXTURE(loader_stage, "one epoch follows the other without a gap, up to the end of the range") {
  open();
  serve({}, 2);
  give_buffers(7);
  ask(a, 20);
  REQUIRE(a->chunks.size() == 12);
  CHECK(place_of(a->chunks[5]) == place{2, 2});
  CHECK(a->chunks[5]->epoch == 0);
  CHECK(place_of(a->chunks[6]) == place{3, 0});
  CHECK(a->chunks[6]->epoch == 1);
}

TEST_CASE_FIXTURE(loader_stage, "a range may begin in the middle of an epoch and skips nothing after it") {
  open();
  data_position first;
  SUBCASE("two batches into the first epoch") {
    first = {0, 2};
  }
  SUBCASE("at the end of the first epoch, which is the start of the second") {
    first = {0, 3};
  }
  serve(first, 2);
  give_buffers(4);
  ask(a, 20);
  REQUIRE_FALSE(a->chunks.empty());
  CHECK(place_of(a->chunks.front()) == place{first.batch, 0});
  CHECK(place_of(a->chunks.back()) == place{5, 2});
}

TEST_CASE_FIXTURE(loader_stage, "the encoded bytes in flight are bounded until a chunk is reported done") {
  auto config = twelve_samples();
  SUBCASE("by room for one chunk") {
    config.max_encoded_bytes = 2 * 64;
  }
  SUBCASE("and yet a chunk that is larger than the bound goes out alone") {
    config.max_encoded_bytes = 1;
  }
  open(config);
  serve();
  give_buffers(3);
  ask(a, 3);
  REQUIRE(a->chunks.size() == 1);
  finish_newest(a);
  CHECK(a->chunks.size() == 2);
}

TEST_CASE_FIXTURE(loader_stage, "status grows with the work that is done") {
  open();
  serve();
  give_buffers(1);
  const auto before = actors.ask<actor_status>(loader, status_atom_v);
  ask(a);
  finish_newest(a);
  const auto after = actors.ask<actor_status>(loader, status_atom_v);
  REQUIRE(before);
  REQUIRE(after);
  CHECK(after->done > before->done);
  CHECK_FALSE(after->doing.empty());
}

TEST_SUITE_END();
