#include "actors/loader/chunk_dispatcher.hpp"
#include "actors/loader/datasets/synthetic_dataset.hpp"

#include <algorithm>
#include <set>

#include "actors/loader/datasets/open_dataset.hpp"
#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

struct flow {
  explicit flow(std::uint64_t num_samples = 10, std::uint32_t batch_size = 4, std::uint32_t chunk_size = 2) {
    dataset_config config;
    config.dataset = "synthetic";
    config.size = num_samples;
    config.shape = {1, 8, 8};
    data = *open_dataset(config, {});
    loader.batch_size = batch_size;
    loader.chunk_size = chunk_size;
    plan.emplace(*epoch_plan::make(num_samples, batch_size, false, true, 1));
    unit.emplace(data, *plan, loader);
  }
  ~flow() { home->close(); }

  void add_buffers(int n) {
    batch_layout layout{loader.batch_size, 1, 8, 8, false};
    for (int i = 0; i < n; ++i)
      unit->add_buffer(
        batch_buffer(home, layout, {new std::byte[loader.batch_size * 64 * 4], std::default_delete<std::byte[]>()}));
  }

  std::vector<batch_slice> dropped;
  std::shared_ptr<buffer_home> home =
    std::make_shared<buffer_home>([this](batch_slice x) { dropped.push_back(std::move(x)); }, [](batch_buffer) {});
  std::shared_ptr<const dataset> data;
  loader_config loader;
  std::optional<epoch_plan> plan;
  std::optional<chunk_dispatcher> unit;
};

} // namespace

TEST_SUITE("actors/loader") {

  TEST_CASE_FIXTURE(flow, "nothing is handed out without a range or without a buffer") {
    CHECK_FALSE(unit->next());
    REQUIRE(unit->serve({{0, 0}, 1}));
    CHECK_FALSE(unit->next());
    add_buffers(1);
    CHECK(unit->next());
  }

  TEST_CASE_FIXTURE(flow, "one buffer is credit for one batch") {
    REQUIRE(unit->serve({{0, 0}, 1}));
    add_buffers(1);
    std::vector<chunk_ready> chunks;
    while (auto chunk = unit->next())
      chunks.push_back(std::move(*chunk));
    CHECK(chunks.size() == 2);
    CHECK(unit->position() == data_position{0, 1});
    CHECK_FALSE(unit->served());
  }

  TEST_CASE_FIXTURE(flow, "two epochs hand out every sample twice, in order, and the last batch's lead once more") {
    REQUIRE(unit->serve({{0, 0}, 2}));
    add_buffers(6);
    std::vector<std::uint64_t> ids;
    std::uint64_t last_batch = 0;
    while (auto chunk = unit->next()) {
      CHECK(chunk->chunk->batch >= last_batch);
      last_batch = chunk->chunk->batch;
      CHECK(chunk->chunk->epoch == (last_batch < 3 ? 0 : 1));
      for (auto& sample : chunk->chunk->samples)
        ids.push_back(sample.id);
      unit->done(chunk->chunk->batch, chunk->chunk->position);
    }
    REQUIRE(ids.size() == 22); // 4, 4 and 1 + 2 in each epoch.
    CHECK(unit->served());
    CHECK(unit->num_chunks_out() == 0);
    CHECK(unit->encoded_bytes() == 0);
    for (int epoch : {0, 1}) {
      const auto first = ids.begin() + epoch * 11;
      CHECK(std::set<std::uint64_t>(first, first + 11).size() == 10);
      CHECK(first[7] == first[8]);
    }
    CHECK_FALSE(std::equal(ids.begin(), ids.begin() + 11, ids.begin() + 11));
  }

  TEST_CASE_FIXTURE(flow, "a run begun in the middle hands out what the whole run hands out from there") {
    flow whole;
    REQUIRE(whole.unit->serve({{0, 0}, 2}));
    REQUIRE(unit->serve({{0, 2}, 2}));
    whole.add_buffers(6);
    add_buffers(6);
    std::vector<std::uint64_t> expected_ids, ids;
    while (auto chunk = whole.unit->next())
      if (chunk->chunk->batch >= 2)
        for (auto& sample : chunk->chunk->samples)
          expected_ids.push_back(sample.id);
    while (auto chunk = unit->next())
      for (auto& sample : chunk->chunk->samples)
        ids.push_back(sample.id);
    CHECK(ids == expected_ids);
  }

  TEST_CASE_FIXTURE(flow, "(e, end) is (e + 1, 0), and a place past the end is refused") {
    REQUIRE(unit->serve({{0, 3}, 2}));
    CHECK(unit->position() == data_position{1, 0});
    auto beyond = unit->serve({{0, 4}, 2});
    REQUIRE_FALSE(beyond);
    CHECK(beyond.error().code == ec::mismatch);
  }

  TEST_CASE_FIXTURE(flow, "encoded bytes are bounded, but one chunk is always allowed") {
    loader.max_encoded_bytes = 1;
    unit.emplace(data, *plan, loader);
    REQUIRE(unit->serve({{0, 0}, 1}));
    add_buffers(3);
    auto first = unit->next();
    REQUIRE(first);
    CHECK_FALSE(unit->next());
    unit->done(first->chunk->batch, first->chunk->position);
    CHECK(unit->next());
  }

  TEST_CASE_FIXTURE(flow, "a slice that was never begun goes to another as if nothing had happened") {
    REQUIRE(unit->serve({{0, 0}, 1}));
    add_buffers(1);
    for (int i = 0; i < 5; ++i) {
      { auto chunk = unit->next(); }
      REQUIRE(dropped.size() == 1);
      CHECK_FALSE(unit->came_back(std::move(dropped[0])));
      dropped.clear();
    }
    auto chunk = unit->next();
    REQUIRE(chunk);
    CHECK(chunk->slice.take()->failed_attempts() == 0);
    CHECK(chunk->chunk->samples.size() == 2);
  }

  TEST_CASE_FIXTURE(flow, "a chunk that kills is tried twice, then one by one; the sample that kills is named") {
    REQUIRE(unit->serve({{0, 0}, 1}));
    add_buffers(1);
    // The first sample handed out kills whoever touches it.
    std::optional<std::uint64_t> killer;
    std::vector<batch_slice> filled;
    std::vector<bad_sample> bad;
    int deaths = 0;
    while (auto work = unit->next()) {
      auto slice = work->slice.take();
      REQUIRE(slice);
      slice->begin();
      if (!killer)
        killer = work->chunk->samples[0].id;
      if (std::any_of(work->chunk->samples.begin(), work->chunk->samples.end(),
                      [&](auto& s) { return s.id == *killer; })) {
        ++deaths;
        slice.reset();
        REQUIRE(dropped.size() == 1);
        if (auto given_up = unit->came_back(std::move(dropped[0]))) {
          bad = given_up->bad;
          filled.push_back(*given_up->slice.take());
        }
        dropped.clear();
      } else {
        unit->done(work->chunk->batch, work->chunk->position);
        filled.push_back(std::move(*slice));
      }
    }
    CHECK(deaths == 3);
    REQUIRE(bad.size() == 1);
    CHECK(bad[0].id == *killer);
    CHECK(bad[0].name == data->sample_name(*killer));
    CHECK(unit->num_chunks_out() == 0);
    CHECK(batch_buffer::join(filled));
  }

} // TEST_SUITE
