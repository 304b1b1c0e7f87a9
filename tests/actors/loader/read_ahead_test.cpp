#include "actors/loader/chunk_dispatcher.hpp"
#include "tests/actors/loader/counted_dataset.hpp"
#include "tests/actors/loader/decoded_samples.hpp"

#include <algorithm>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

using place = std::pair<std::uint64_t, std::uint64_t>; ///< Batch and position.

/// A dispatcher whose chunks are read when the test says so: 22 samples of 100 bytes, in batches of 4 and chunks of 2.
struct reading {
  explicit reading(std::set<std::uint64_t> unreadable = {})
    : data(std::make_shared<counted_dataset>(22, std::move(unreadable))) {
    config.batch_size = 4;
    config.chunk_size = 2;
    config.read_ahead = 2;
    config.use_readers = true;
  }
  ~reading() { home->close(); }
  reading(const reading&) = delete;
  reading& operator=(const reading&) = delete;

  chunk_dispatcher& serve(std::uint64_t end_epoch = 1, std::shared_ptr<pixel_cache> cache = nullptr) {
    auto plan = epoch_plan::make(data->num_samples(), config.batch_size, false, true, 1);
    REQUIRE(plan);
    unit.emplace(data, *plan, config, std::move(cache));
    REQUIRE(unit->serve({{0, 0}, end_epoch}));
    return *unit;
  }

  void add_buffer() {
    const batch_layout layout{config.batch_size, 1, 1, 1};
    unit->add_buffer({home, layout, {new std::byte[16](), std::default_delete<std::byte[]>()}});
  }

  /// All that a host of readers would be given now.
  [[nodiscard]] std::vector<chunk_wanted> all_to_read() {
    std::vector<chunk_wanted> out;
    while (auto wanted = unit->next_to_read())
      out.push_back(std::move(*wanted));
    return out;
  }

  void read(const chunk_wanted& wanted) { unit->was_read(std::make_shared<encoded_chunk>(wanted.read())); }

  /// Fills nothing, but says that it did.
  void finish(chunk_ready& ready) {
    auto slice = ready.slice.take();
    REQUIRE(slice);
    unit->done(ready.chunk->batch, ready.chunk->position);
    filled[ready.chunk->batch].push_back(std::move(*slice));
  }

  /// Gives back the buffers of batches that are whole.
  void recycle() {
    for (auto& [batch, slices] : filled)
      if (auto whole = batch_buffer::join(slices))
        unit->add_buffer(std::move(*whole));
  }

  std::shared_ptr<counted_dataset> data;
  loader_config config;
  std::optional<chunk_dispatcher> unit;
  std::vector<batch_slice> dropped;
  std::map<std::uint64_t, std::vector<batch_slice>> filled;
  std::shared_ptr<buffer_home> home =
    std::make_shared<buffer_home>([this](batch_slice x) { dropped.push_back(std::move(x)); }, [](batch_buffer) {});
};

place place_of(const chunk_wanted& wanted) {
  return {wanted.batch, wanted.position};
}

std::vector<place> places_of(const std::vector<chunk_wanted>& wanted) {
  std::vector<place> out;
  for (const auto& each : wanted)
    out.push_back(place_of(each));
  return out;
}

/// Ids of what is handed out, by place; `with_deaths`: readers and augmenters die at random.
std::map<place, std::vector<std::uint64_t>> handed_out(std::uint32_t seed, bool with_deaths) {
  reading stage;
  stage.config.max_encoded_bytes = 100 * (1 + seed % 12);
  stage.config.read_ahead = seed % 4;
  auto& unit = stage.serve(2);
  stage.add_buffer();
  stage.add_buffer();
  std::mt19937 engine(seed);
  std::vector<chunk_wanted> being_read;
  std::map<place, std::vector<std::uint64_t>> out;
  std::map<place, int> deaths;
  for (int step = 0; step < 20'000 && (!unit.served() || unit.num_chunks_out() > 0); ++step) {
    if (auto wanted = engine() % 2 == 0 ? unit.next_to_read() : std::nullopt)
      being_read.push_back(std::move(*wanted));
    if (!being_read.empty() && engine() % 2 == 0) {
      std::swap(being_read[engine() % being_read.size()], being_read.back());
      const auto wanted = std::move(being_read.back());
      being_read.pop_back();
      if (with_deaths && engine() % 3 == 0 && deaths[place_of(wanted)]++ == 0)
        unit.reading_failed(wanted.batch, wanted.position);
      else
        stage.read(wanted);
    }
    if (auto ready = unit.next()) {
      auto& ids = out[{ready->chunk->batch, ready->chunk->position}];
      ids.clear();
      for (const auto& sample : ready->chunk->samples)
        ids.push_back(sample.id);
      CHECK(ready->chunk->unreadable.empty());
      CHECK(ready->chunk->samples[0].bytes.size() == counted_dataset::sample_bytes);
      stage.finish(*ready);
    }
    stage.recycle();
  }
  CHECK(unit.served());
  CHECK(unit.num_being_read() == 0);
  CHECK(unit.encoded_bytes() == 0);
  return out;
}

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(reading, "no chunk is handed out before it is read") {
  serve();
  add_buffer();
  CHECK_FALSE(unit->next());
  auto wanted = all_to_read();
  CHECK_FALSE(unit->next());
  CHECK(data->num_reads[wanted[0].first_sample] == 0);
  read(wanted[0]);
  auto ready = unit->next();
  REQUIRE(ready);
  CHECK(place(ready->chunk->batch, ready->chunk->position) == place_of(wanted[0]));
  CHECK(ready->chunk->samples[0].id == wanted[0].first_sample);
  CHECK(ready->chunk->samples[1].format == sample_format::image_file);
  CHECK_FALSE(unit->next());
}

TEST_CASE_FIXTURE(reading,
                  "what is read comes in batch order, as many batches ahead of the buffers as the config says") {
  serve();
  CHECK(places_of(all_to_read()) == std::vector<place>{{0, 0}, {0, 2}, {1, 4}, {1, 6}});
  add_buffer();
  CHECK(places_of(all_to_read()) == std::vector<place>{{2, 8}, {2, 10}});
  CHECK_FALSE(unit->next_to_read());
  CHECK(unit->num_being_read() == 6);
}

TEST_CASE_FIXTURE(reading, "reading nothing ahead is reading what a buffer waits for") {
  config.read_ahead = 0;
  serve();
  CHECK_FALSE(unit->next_to_read());
  add_buffer();
  CHECK(places_of(all_to_read()) == std::vector<place>{{0, 0}, {0, 2}});
}

TEST_CASE_FIXTURE(reading, "nothing is read for others where there are no readers") {
  config.use_readers = false;
  serve();
  add_buffer();
  CHECK_FALSE(unit->next_to_read());
  CHECK(unit->next());
}

TEST_CASE_FIXTURE(reading, "reading ahead stops within a chunk of the bound on encoded bytes") {
  config.read_ahead = 100;
  config.max_encoded_bytes = 500;
  serve();
  CHECK(all_to_read().size() == 3);
  CHECK(unit->encoded_bytes() == 600);
}

TEST_CASE_FIXTURE(reading, "under a bound smaller than a chunk one chunk is read at a time") {
  config.max_encoded_bytes = 1;
  serve();
  add_buffer();
  for (int i = 0; i < 2; ++i) {
    const auto wanted = all_to_read();
    REQUIRE(wanted.size() == 1);
    read(wanted[0]);
    CHECK_FALSE(unit->next_to_read());
    auto ready = unit->next();
    REQUIRE(ready);
    CHECK_FALSE(unit->next_to_read());
    finish(*ready);
    CHECK(unit->encoded_bytes() == 0);
  }
}

TEST_CASE_FIXTURE(reading, "a chunk is given to one reader at a time") {
  serve();
  const auto places = places_of(all_to_read());
  CHECK(std::set<place>(places.begin(), places.end()).size() == places.size());
  CHECK_FALSE(unit->next_to_read());
}

TEST_CASE("what is handed out does not depend on who reads what first, on the bounds, or on readers that die") {
  const auto wanted = handed_out(0, false);
  std::size_t num_samples = 0;
  for (const auto& [where, ids] : wanted)
    num_samples += ids.size();
  CHECK(num_samples == 2 * 23); // The last batch has one sample of the batch before it at its front.
  for (std::uint32_t seed = 1; seed < 200; ++seed) {
    CAPTURE(seed);
    REQUIRE(handed_out(seed, seed % 2 == 0) == wanted);
  }
}

TEST_CASE_FIXTURE(reading, "a chunk whose reader died is read again, before others") {
  serve();
  add_buffer();
  const auto wanted = all_to_read();
  const auto bytes = unit->encoded_bytes();
  unit->reading_failed(0, 2);
  CHECK(unit->encoded_bytes() == bytes - 200);
  auto again = unit->next_to_read();
  REQUIRE(again);
  CHECK(place_of(*again) == place{0, 2});
  read(*again);
  auto ready = unit->next();
  REQUIRE(ready);
  CHECK(ready->chunk->unreadable.empty());
  CHECK(ready->chunk->samples[1].bytes.size() == 100);
}

TEST_CASE_FIXTURE(reading, "a chunk that two readers died with is handed out, all its samples being bad") {
  serve();
  add_buffer();
  const auto wanted = all_to_read();
  unit->reading_failed(0, 0);
  REQUIRE(unit->next_to_read());
  unit->reading_failed(0, 0);
  auto ready = unit->next();
  REQUIRE(ready);
  const auto& chunk = *ready->chunk;
  CHECK(chunk.position == 0);
  REQUIRE(chunk.unreadable.size() == 2);
  for (std::uint32_t i = 0; i < 2; ++i) {
    CHECK(chunk.unreadable[i].id == chunk.samples[i].id);
    CHECK(chunk.unreadable[i].slot == i);
    CHECK_FALSE(chunk.unreadable[i].reason.empty());
    CHECK(chunk.samples[i].bytes.empty());
  }
  finish(*ready);
  CHECK(unit->encoded_bytes() == (wanted.size() - 1) * 200);
}

TEST_CASE_FIXTURE(reading, "news of reads that nobody waits for is ignored") {
  serve();
  add_buffer();
  const auto wanted = all_to_read();
  unit->reading_failed(7, 7);
  read(wanted[0]);
  unit->reading_failed(wanted[0].batch, wanted[0].position);
  read(wanted[0]);
  CHECK(unit->next());
  read(wanted[0]);
  CHECK_FALSE(unit->next());
}

TEST_CASE("a sample that cannot be read is named by its slot, and the others of its chunk are there") {
  reading stage({0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10});
  auto& unit = stage.serve();
  stage.add_buffer();
  for (const auto& wanted : stage.all_to_read())
    stage.read(wanted);
  for (int i = 0; i < 2; ++i) {
    auto ready = unit.next();
    REQUIRE(ready);
    const auto& chunk = *ready->chunk;
    std::set<std::uint64_t> bad;
    for (const auto& each : chunk.unreadable) {
      bad.insert(each.id);
      CHECK(chunk.samples.at(each.slot - chunk.first_slot).id == each.id);
      CHECK(each.reason.find("the disk says no") != std::string::npos);
    }
    for (const auto& sample : chunk.samples)
      CHECK(bad.contains(sample.id) == (sample.id <= 10));
  }
}

TEST_CASE_FIXTURE(reading, "a slot that waits for a replacement is read and served ahead of all others") {
  config.read_ahead = 1;
  serve();
  add_buffer();
  add_buffer();
  for (const auto& wanted : all_to_read())
    read(wanted);
  auto first = unit->next();
  REQUIRE(first);
  auto slots = std::move(*first->slice.take()).singles();
  unit->done(0, 0);
  slots[1].fill_from(21);
  unit->replace(std::move(slots[1]));
  auto wanted = unit->next_to_read();
  REQUIRE(wanted);
  CHECK(place_of(*wanted) == place{0, 21});
  read(*wanted);
  auto ready = unit->next();
  REQUIRE(ready);
  CHECK(ready->chunk->position == 21);
  CHECK(ready->chunk->first_slot == 1);
  REQUIRE(ready->chunk->samples.size() == 1);
  CHECK(ready->chunk->samples[0].id == unit->plan().order(0)[21]);
}

TEST_CASE_FIXTURE(reading, "a replacement is read even where the bound on bytes is reached") {
  config.max_encoded_bytes = 1;
  serve();
  add_buffer();
  read(*unit->next_to_read());
  auto first = unit->next();
  auto slots = std::move(*first->slice.take()).singles();
  unit->done(0, 0);
  REQUIRE(unit->next_to_read()); // The next of the run: the bound is reached.
  slots[0].fill_from(20);
  unit->replace(std::move(slots[0]));
  const auto wanted = unit->next_to_read();
  REQUIRE(wanted);
  CHECK(place_of(*wanted) == place{0, 20});
}

TEST_CASE_FIXTURE(reading, "a slice that is lost after its chunk was reported done is read and handed out again") {
  serve();
  add_buffer();
  for (const auto& wanted : all_to_read())
    read(wanted);
  auto ready = unit->next();
  auto slice = ready->slice.take();
  slice->begin();
  unit->done(0, 0);
  slice.reset();
  REQUIRE(dropped.size() == 1);
  CHECK_FALSE(unit->came_back(std::move(dropped[0])));
  const auto wanted = unit->next_to_read();
  REQUIRE(wanted);
  CHECK(place_of(*wanted) == place{0, 0});
  read(*wanted);
  auto again = unit->next();
  REQUIRE(again);
  CHECK(again->chunk->position == 0);
  CHECK(again->chunk->samples.size() == 2);
}

TEST_CASE_FIXTURE(reading, "a new range forgets what was read ahead for the old one") {
  serve(2);
  for (const auto& wanted : all_to_read())
    read(wanted);
  REQUIRE(unit->serve({{1, 0}, 2}));
  CHECK(unit->encoded_bytes() == 0);
  const auto wanted = unit->next_to_read();
  REQUIRE(wanted);
  CHECK(place_of(*wanted) == place{6, 0});
}

TEST_CASE_FIXTURE(reading, "what is in the cache is not read, and the rest is wanted back decoded") {
  cache_config in_memory;
  in_memory.mode = cache_mode::memory;
  const auto cache = open_cache(in_memory);
  for (std::uint64_t id = 0; id < 22; id += 2)
    cache->put(decoded(id));
  serve(1, cache);
  add_buffer();
  for (const auto& wanted : all_to_read())
    read(wanted);
  while (auto ready = unit->next()) {
    CHECK(ready->chunk->wants_decoded);
    for (const auto& sample : ready->chunk->samples) {
      const bool cached = sample.id % 2 == 0;
      CHECK(sample.format == (cached ? sample_format::cached_u8 : sample_format::image_file));
      CHECK(data->num_reads[sample.id] == (cached ? 0 : 1));
      CHECK(sample.label == static_cast<std::int64_t>(sample.id % 3));
      CHECK(sample.weight == static_cast<float>(sample.id) + 0.5f);
    }
    finish(*ready);
  }
}

TEST_SUITE_END();
