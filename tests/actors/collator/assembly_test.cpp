#include "actors/collator/assembly.hpp"

#include <algorithm>
#include <random>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct pipeline {
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_layout layout{4, 1, 1, 2, false};

  std::vector<batch_slice> slices(std::uint64_t id, std::uint32_t num_samples, std::uint32_t chunk_size) {
    batch_buffer buffer(home, layout, {new std::byte[32](), std::default_delete<std::byte[]>()});
    batch_ref ref;
    ref.id = id;
    ref.num_samples = num_samples;
    ref.first_position = id * 4;
    ref.epoch_samples = 1000;
    auto out = std::move(buffer).split(ref, chunk_size);
    for (auto& slice : out)
      for (std::uint32_t i = 0; i < slice.count(); ++i)
        slice.set_sample(i, id * 10 + slice.first() + i, slice.first() + i);
    return out;
  }
  ~pipeline() { home->close(); }
};

} // namespace

TEST_SUITE("actors/collator") {

  TEST_CASE_FIXTURE(pipeline, "batches leave in order, whole, however the slices arrive") {
    for (unsigned seed = 0; seed < 50; ++seed) {
      CAPTURE(seed);
      std::vector<batch_slice> all;
      for (std::uint64_t id : {5, 6, 7})
        for (auto& slice : slices(id, id == 7 ? 3 : 4, 2))
          all.push_back(std::move(slice));
      std::shuffle(all.begin(), all.end(), std::mt19937{seed});
      assembly unit(false, 5, {});
      std::vector<std::uint64_t> ids;
      for (auto& slice : all)
        for (auto& ready : unit.add(std::move(slice), {}).ready) {
          ids.push_back(ready.batch.id);
          auto buffer = ready.buffer.take();
          REQUIRE(buffer);
          CHECK(buffer->sample_ids()[0] == ready.batch.id * 10);
          CHECK(buffer->sample_ids()[ready.batch.num_samples - 1] == ready.batch.id * 10 + ready.batch.num_samples - 1);
        }
      CHECK(ids == std::vector<std::uint64_t>{5, 6, 7});
      CHECK(unit.num_open() == 0);
      CHECK(unit.next_id() == 8);
    }
  }

  TEST_CASE_FIXTURE(pipeline, "a batch with bad samples is shorter and lists them by slot") {
    auto parts = slices(0, 4, 2);
    assembly unit;
    CHECK(unit.add(std::move(parts[1]), {{12, 2, "c", "broken", {}}}).ready.empty());
    auto ready = unit.add(std::move(parts[0]), {{11, 1, "b", "broken", {}}}).ready;
    REQUIRE(ready.size() == 1);
    CHECK(ready[0].batch.num_samples == 2);
    REQUIRE(ready[0].bad.size() == 2);
    CHECK(ready[0].bad[0].name == "b");
    auto buffer = ready[0].buffer.take();
    CHECK(buffer->sample_ids()[0] == 0);
    CHECK(buffer->sample_ids()[1] == 3);
    CHECK(buffer->labels()[1] == 3);
  }

  TEST_CASE_FIXTURE(pipeline, "a batch of which every sample is bad leaves empty") {
    auto parts = slices(0, 1, 2);
    assembly unit;
    auto ready = unit.add(std::move(parts[0]), {{0, 0, "a", "broken", {}}}).ready;
    REQUIRE(ready.size() == 1);
    CHECK(ready[0].batch.num_samples == 0);
  }

  TEST_CASE_FIXTURE(pipeline, "a later batch waits for an earlier one") {
    assembly unit;
    auto first = slices(0, 4, 4);
    auto second = slices(1, 4, 4);
    CHECK(unit.add(std::move(second[0]), {}).ready.empty());
    CHECK(unit.num_open() == 1);
    CHECK(unit.add(std::move(first[0]), {}).ready.size() == 2);
  }

} // TEST_SUITE
