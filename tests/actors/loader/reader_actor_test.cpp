#include "actors/loader/reader_actor.hpp"

#include "tests/actors/loader/datasets/data_files.hpp"
#include "tests/actors/loader/loader_stage.hpp"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

/// A loader of twelve files in three batches of four, in chunks of two; the file of sample `id` says "file <id>".
struct reading_stage : loader_stage {
  scratch_folder folder;

  explicit reading_stage() {
    ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    std::string rows = "path,label\n";
    for (int id = 0; id < 12; ++id) {
      const auto name = "files/" + std::string(id < 10 ? "0" : "") + std::to_string(id) + ".jpg";
      testing::add_file(folder, name, "file " + std::to_string(id));
      rows += name + "," + (id % 2 == 0 ? "cat" : "dog") + "\n";
    }
    put_file(folder / "list.csv", rows);
    auto config = twelve_samples();
    config.data = {};
    config.data.dataset = "manifest";
    config.data.root = folder.path();
    config.data.file = "list.csv";
    const auto opened = open(config);
    REQUIRE_MESSAGE(opened.error.code == ec::none, opened.error.context);
    CHECK(opened.reads_files);
  }

  reader_actor spawn_reader() { return actors.spawn(troupe::reader, reader_setup{"reader", loader}); }

  /// A reader that dies of its first chunk.
  reader_actor spawn_clumsy_reader() {
    return actors.spawn([boss = loader](reader_actor::pointer self) -> reader_actor::behavior_type {
      self->set_exception_handler([](std::exception_ptr&) { return caf::error{caf::sec::runtime_error}; });
      self->send(boss, next_atom_v, reader_actor{self});
      return {
        [](const chunk_wanted&) { throw std::runtime_error("clumsy"); },
        [](const samples_to_read&) -> samples_found { throw std::runtime_error("clumsy"); },
        [](status_atom) { return actor_status{}; },
      };
    });
  }

  /// Whether every sample of the chunk has the bytes of its file.
  [[nodiscard]] static bool is_whole(const chunk_ptr& chunk) {
    return chunk->unreadable.empty()
           && std::all_of(chunk->samples.begin(), chunk->samples.end(), [](const auto& sample) {
                return testing::text_of(sample) == "file " + std::to_string(sample.id);
              });
  }

  /// Ids of all chunks that `a` has, in order of their places.
  [[nodiscard]] std::vector<std::uint64_t> ids_by_place() const {
    auto chunks = a->chunks;
    std::sort(chunks.begin(), chunks.end(), [](auto& x, auto& y) { return place_of(x) < place_of(y); });
    std::vector<std::uint64_t> out;
    for (const auto& chunk : chunks)
      for (const auto id : ids_in(chunk))
        out.push_back(id);
    return out;
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/loader");

TEST_CASE_FIXTURE(reading_stage, "without a reader, what lies in files is not handed out") {
  serve();
  give_buffers(1);
  ask(a);
  CHECK(a->chunks.empty());
}

TEST_CASE_FIXTURE(reading_stage, "a reader reads what the augmenters then get, each sample's file") {
  const auto reader = spawn_reader();
  serve();
  give_buffers(3);
  ask(a, 6);
  REQUIRE(a->chunks.size() == 6);
  for (const auto& chunk : a->chunks)
    CHECK(is_whole(chunk));
  const auto ids = ids_by_place();
  CHECK(std::set<std::uint64_t>(ids.begin(), ids.end()).size() == 12);
  const auto status = actors.ask<actor_status>(reader, status_atom_v);
  REQUIRE(status);
  CHECK(status->done == 6);
}

TEST_CASE_FIXTURE(reading_stage,
                  "readers that come before there is a range, or after the augmenters, find their work") {
  SUBCASE("before") {
    spawn_reader();
  }
  serve();
  give_buffers(1);
  ask(a, 2);
  SUBCASE("after") {
    spawn_reader();
  }
  actors.run();
  CHECK(a->chunks.size() == 2);
}

TEST_CASE_FIXTURE(reading_stage, "a chunk that a reader died with is read by another") {
  spawn_clumsy_reader();
  serve();
  give_buffers(3);
  ask(a, 6);
  CHECK(a->chunks.empty());
  spawn_reader();
  actors.run();
  REQUIRE(a->chunks.size() == 6);
  for (const auto& chunk : a->chunks)
    CHECK(is_whole(chunk));
}

TEST_CASE_FIXTURE(reading_stage, "the samples of a chunk that two readers died with are bad, all others are whole") {
  serve();
  give_buffers(3);
  ask(a, 6);
  for (int i = 0; i < 2; ++i) {
    spawn_clumsy_reader();
    actors.run();
  }
  spawn_reader();
  actors.run();
  REQUIRE(a->chunks.size() == 6);
  const auto num_bad = std::count_if(a->chunks.begin(), a->chunks.end(), [](auto& x) { return !is_whole(x); });
  CHECK(num_bad == 1);
  const auto given_up =
    std::find_if(a->chunks.begin(), a->chunks.end(), [](auto& x) { return !x->unreadable.empty(); });
  REQUIRE(given_up != a->chunks.end());
  CHECK((*given_up)->unreadable.size() == 2);
}

TEST_CASE_FIXTURE(reading_stage, "a reader that dies while it is idle is not missed") {
  const auto doomed = spawn_reader();
  actors.run();
  caf::anon_send_exit(doomed, caf::exit_reason::kill);
  actors.run();
  spawn_reader();
  serve();
  give_buffers(1);
  ask(a, 2);
  CHECK(a->chunks.size() == 2);
}

TEST_CASE_FIXTURE(reading_stage, "samples besides those of chunks are read by the readers, in turns") {
  const auto first = spawn_reader(), second = spawn_reader();
  actors.run();
  for (std::uint64_t i = 0; i < 4; ++i) {
    const auto found = actors.ask<samples_found>(loader, samples_wanted{i, {5, 11, 5}});
    REQUIRE(found);
    CHECK(found->epoch == i);
    REQUIRE(found->samples.size() == 3);
    CHECK(testing::text_of(found->samples[0]) == "file 5");
    CHECK(testing::text_of(found->samples[1]) == "file 11");
    CHECK(testing::text_of(found->samples[2]) == "file 5");
    CHECK(found->samples[1].label == 1);
  }
  for (const auto& reader : {first, second}) {
    const auto status = actors.ask<actor_status>(reader, status_atom_v);
    REQUIRE(status);
    CHECK(status->done == 2);
  }
}

TEST_CASE_FIXTURE(reading_stage, "a sample that cannot be read is a failure of its own, not of the others") {
  std::filesystem::remove(folder / "files/07.jpg");
  SUBCASE("of a reader") {
    spawn_reader();
    actors.run();
  }
  SUBCASE("of the loader") {}
  const auto found = actors.ask<samples_found>(loader, samples_wanted{0, {6, 7, 8}});
  REQUIRE(found);
  REQUIRE(found->failures.size() == 3);
  CHECK(found->failures[0].code == ec::none);
  CHECK(found->failures[1].code != ec::none);
  CHECK(found->failures[2].code == ec::none);
  CHECK(found->samples[1].bytes.empty());
  CHECK(testing::text_of(found->samples[2]) == "file 8");
}

TEST_CASE_FIXTURE(reading_stage,
                  "whoever wants samples of a reader that dies gets an error, and then those of another") {
  spawn_clumsy_reader();
  actors.run();
  CHECK_FALSE(actors.ask<samples_found>(loader, samples_wanted{0, {1}}));
  spawn_reader();
  actors.run();
  const auto found = actors.ask<samples_found>(loader, samples_wanted{0, {1}});
  REQUIRE(found);
  CHECK(testing::text_of(found->samples[0]) == "file 1");
}

TEST_CASE_FIXTURE(reading_stage, "a file that is gone makes its sample unreadable, and only that one") {
  std::filesystem::remove(folder / "files/07.jpg");
  spawn_reader();
  serve();
  give_buffers(3);
  ask(a, 6);
  REQUIRE(a->chunks.size() == 6);
  for (const auto& chunk : a->chunks) {
    const auto ids = ids_in(chunk);
    const bool has_it = std::find(ids.begin(), ids.end(), 7) != ids.end();
    CHECK(chunk->unreadable.size() == (has_it ? 1 : 0));
    CHECK(is_whole(chunk) != has_it);
  }
}

TEST_CASE("whatever the order of events and however many readers, each chunk has the same samples") {
  std::vector<std::uint64_t> wanted;
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    CAPTURE(seed);
    reading_stage stage;
    for (std::uint64_t i = 0; i < 1 + seed % 3; ++i)
      stage.spawn_reader();
    if (seed % 2 == 1)
      stage.spawn_clumsy_reader();
    caf::anon_send(stage.loader, serve_range{{}, 1});
    for (int i = 0; i < 3; ++i)
      caf::anon_send(stage.loader, buffer_returned{lease<batch_buffer>{mint(stage.home, {4, 1, 8, 8, false})}});
    for (int i = 0; i < 6; ++i)
      caf::anon_send(stage.loader, next_atom_v, stage.a.handle);
    stage.actors.run_shuffled(seed);
    REQUIRE(stage.a->chunks.size() == 6);
    if (wanted.empty())
      wanted = stage.ids_by_place();
    CHECK(stage.ids_by_place() == wanted);
  }
}

TEST_SUITE_END();
