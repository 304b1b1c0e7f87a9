#include "actors/tracer/tracer_actor.hpp"

#include "actors/glue/traced.hpp"
#include "actors/tracer/trace_file.hpp"
#include "tests/support/scratch_folder.hpp"

#include <caf/event_based_actor.hpp>

#include <chrono>
#include <filesystem>
#include <memory>
#include <string>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace std::chrono_literals;

namespace {

caf::behavior sink(traced<caf::event_based_actor>* self) {
  trace_name(self, "sink");
  return {[](int) {}};
}

/// A traced system with a tracer, in a folder of its own.
struct stage {
  explicit stage(trace_mode mode) : config{.mode = mode, .folder = folder.path()} {
    auto started = start_recorder(config);
    REQUIRE(started);
    recorder = std::move(*started);
    actors = std::make_unique<deterministic_system>();
  }
  ~stage() { actors.reset(); }

  tracer_actor spawn_tracer() { return actors->spawn(tracer, config, recorder.get()); }

  [[nodiscard]] trace_file_contents file() const {
    for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
      if (entry.path().extension() == ".trc") {
        auto contents = read_trace_file(entry.path().string());
        REQUIRE(contents);
        return *contents;
      }
    FAIL("no trace file");
    return {};
  }

  scratch_folder folder;
  tracer_config config;
  std::unique_ptr<trace_recorder> recorder;
  std::unique_ptr<deterministic_system> actors;
};

} // namespace

TEST_SUITE_BEGIN("actors/tracer");

TEST_CASE("in full mode records reach the file within 100 ms") {
  stage s{trace_mode::full};
  const auto writer = s.spawn_tracer();
  const auto receiver = s.actors->spawn(sink);
  caf::anon_send(receiver, 1);
  caf::anon_send(receiver, 2);
  s.actors->run();
  CHECK(s.file().num_records == 0);
  s.actors->advance(100ms);
  CHECK(s.file().num_records == 3); // Two messages and the spawn.
  caf::anon_send(receiver, 3);
  s.actors->advance(100ms);
  CHECK(s.file().num_records == 4);
}

TEST_CASE("in flight the counts reach the file at once and every minute, the records at the end") {
  stage s{trace_mode::flight};
  const auto writer = s.spawn_tracer();
  const auto receiver = s.actors->spawn(sink);
  caf::anon_send(receiver, 1);
  s.actors->advance(4900ms);
  CHECK_FALSE(s.file().stats);
  s.actors->advance(100ms);
  REQUIRE(s.file().stats);
  CHECK(s.file().stats->stats.begin()->second.count() == 1);
  caf::anon_send(receiver, 2);
  s.actors->advance(55s);
  CHECK(s.file().stats->stats.begin()->second.count() == 1);
  s.actors->advance(5s);
  CHECK(s.file().stats->stats.begin()->second.count() == 2);
  CHECK(s.file().num_records == 0);
  REQUIRE(s.actors->ask<trace_counts>(writer, trace_verbs::finish_atom{}));
  CHECK(s.file().num_records == 3);
}

TEST_CASE("finish stores all that is left, answers with the books, and ends the tracer and the recording") {
  stage s{trace_mode::full};
  const auto writer = s.spawn_tracer();
  const auto receiver = s.actors->spawn(sink);
  for (int i = 0; i < 10; ++i)
    caf::anon_send(receiver, i);
  s.actors->run();
  const auto books = s.actors->ask<trace_counts>(writer, trace_verbs::finish_atom{});
  REQUIRE(books);
  CHECK(books->recorded == 11);
  CHECK(books->dropped == 0);
  CHECK(books->io_errors == 0);
  CHECK(books->problem.empty());
  caf::anon_send(receiver, 11);
  s.actors->run();
  const auto file = s.file();
  CHECK(file.num_records == 11);
  REQUIRE(file.end);
  CHECK(file.end->recorded == 11);
  CHECK_FALSE(s.actors->ask<trace_counts>(writer, trace_verbs::finish_atom{}));
  for (const auto& entry : std::filesystem::directory_iterator{s.folder.path()})
    CHECK(entry.path().extension() == ".trc");
}

TEST_CASE("a tracer that cannot write says so in its books and harms nobody") {
  stage s{trace_mode::full};
  s.config.folder = s.folder / "missing";
  const auto writer = s.spawn_tracer();
  const auto receiver = s.actors->spawn(sink);
  caf::anon_send(receiver, 1);
  s.actors->advance(10s);
  const auto books = s.actors->ask<trace_counts>(writer, trace_verbs::finish_atom{});
  REQUIRE(books);
  CHECK(books->recorded == 0);
  CHECK(books->dropped == 2);
  CHECK(books->io_errors > 0);
  CHECK(books->problem.find("missing") != std::string::npos);
}

TEST_CASE("a tracer that dies without finish leaves the rings behind") {
  stage s{trace_mode::full};
  const auto writer = s.spawn_tracer();
  caf::anon_send(s.actors->spawn(sink), 1);
  s.actors->run();
  caf::anon_send_exit(writer, caf::exit_reason::kill);
  s.actors->run();
  CHECK_FALSE(s.file().end);
  CHECK(std::filesystem::exists(s.recorder->map().path()));
}

TEST_CASE("mode off starts no recorder") {
  const auto recorder = start_recorder({.mode = trace_mode::off, .folder = "/nonexistent"});
  REQUIRE(recorder);
  CHECK(*recorder == nullptr);
}

TEST_SUITE_END();
