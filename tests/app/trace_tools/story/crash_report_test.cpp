#include "app/trace_tools/story/crash_report.hpp"

#include "tests/support/killed_process.hpp"
#include "tests/support/made_run.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;
using troupe::test::made_run;

namespace {

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::string text_of(const crash_report& report) {
  std::ostringstream out;
  print_text(report, out);
  return out.str();
}

/// The trainer in the middle of batch 6, with two messages behind it.
void begin_batch(made_run& run) {
  auto& map = run.recorder().map();
  const auto place = run.recorder().claim_actor(1234);
  auto actor = map.actor(place);
  actor.rename(run.name("trainer"));
  for (int i = 0; i < 3; ++i)
    actor.count_enqueued();
  actor.count_dequeued();
  actor.begin({77, run.now(), run.name("batch_ready"), {.batch = 6}});
  for (int i = 0; i < 3; ++i) // The buffers that the trainer minted.
    run.send("trainer", "loader", "buffer_returned", {}, 0);
  map.header().last_seen_ns.store(run.now() + 2'000'000'000);
}

/// A process that is killed in the middle of a batch.
void killed_run(const std::string& folder) {
  test::run_and_kill([&] {
    made_run run{folder};
    run.train();
    begin_batch(run);
    test::kill_me();
  });
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/story");

TEST_CASE("a killed process tells what was in hand, the last messages and where the buffers were") {
  const scratch_folder folder;
  killed_run(folder.path());
  const auto trace = *open_trace(folder.path());
  const auto report = investigate(trace, folder.path(), {.num_last = 2, .prefetch_batches = 3});
  REQUIRE(report.scenes.size() == 1);
  const auto& scene = report.scenes[0];
  CHECK(has(scene.cause, "killed without a word"));
  REQUIRE(scene.in_hand.size() == 1);
  CHECK(scene.in_hand[0].actor == "trainer");
  CHECK(scene.in_hand[0].type == "batch_ready");
  CHECK(scene.in_hand[0].ids.batch == 6);
  CHECK(scene.in_hand[0].seconds >= 2);
  REQUIRE(scene.buffers);
  CHECK(scene.buffers->with_trainer == 1);
  CHECK(scene.buffers->waiting == 2);
  CHECK(scene.buffers->filling == 0);
  CHECK(scene.buffers->returning == 0);
  for (const auto& each : scene.actors)
    CHECK(each.newest.size() <= 2);
  const auto text = text_of(report);
  CHECK(has(text, "trainer: batch_ready (batch 6), for 2.0"));
  CHECK(has(text, "trainer: 2 in its mailbox; last messages:"));
  CHECK(has(text, "batch buffers: of 3, 0 free or being filled, 2 wait for the trainer, 1 with the trainer"));
  std::ostringstream out;
  print_json(report, out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["scenes"][0]["in_hand"][0]["batch"] == 6);
  CHECK(json["scenes"][0]["buffers"]["waiting"] == 2);
}

TEST_CASE("a process that is stopped is told to be; without messages asked for none are told to be missing") {
  const scratch_folder folder;
  int ready[2] = {};
  REQUIRE(pipe(ready) == 0);
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    made_run run{folder.path()};
    run.train();
    (void)!write(ready[1], "x", 1);
    while (true)
      pause();
  }
  char byte = 0;
  CHECK(read(ready[0], &byte, 1) == 1);
  kill(child, SIGSTOP);
  waitpid(child, nullptr, WUNTRACED);
  const auto text = text_of(investigate(*open_trace(folder.path()), folder.path(), {.num_last = 0}));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(has(text, "it is stopped"));
  CHECK_FALSE(has(text, "no messages of it are in the trace"));
}

TEST_CASE("questions how an actor is do not hide what it did") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0);
  for (int i = 0; i < 50; ++i)
    run.send("supervisor", "augmenter#0", "status", {}, 0);
  const auto trace = *open_trace(folder.path());
  const auto text = text_of(investigate(trace, folder.path(), {.num_last = 2}));
  CHECK(has(text, "augmenter#0: 0 in its mailbox; last messages:"));
  CHECK(has(text, "chunk_ready (batch 6)"));
  CHECK_FALSE(has(text, "augmenter#0: status"));
}

TEST_CASE("without the rings of a process nobody says that its actors were idle") {
  const scratch_folder folder;
  killed_run(folder.path());
  for (const auto& entry : std::filesystem::directory_iterator{folder.path()})
    if (entry.path().extension() == ".bin")
      std::filesystem::remove(entry.path());
  const auto text = text_of(investigate(*open_trace(folder.path()), folder.path(), {}));
  CHECK(has(text, "not known: the rings of the process"));
  CHECK_FALSE(has(text, "every actor was idle"));
}

TEST_CASE("last words, messages that threw and exits come with the cause") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0, trace_outcome::threw);
  run.put(trace_kind::exit, "augmenter#0", "runtime_error: bad", {}, 0);
  const auto trace = *open_trace(folder.path());
  REQUIRE(trace.processes.size() == 1);
  auto dead = trace;
  dead.processes[0].state = process_state::died;
  dead.processes[0].fatal_signal = SIGSEGV;
  dead.processes[0].last_words = "out of memory";
  const auto report = investigate(dead, folder.path(), {});
  REQUIRE(report.scenes.size() == 1);
  CHECK(report.scenes[0].cause == "killed by SIGSEGV (11); last words: out of memory");
  CHECK_FALSE(report.scenes[0].buffers);
  const auto text = text_of(report);
  CHECK(has(text, "handlers that threw:"));
  CHECK(has(text, "augmenter#0: ended: runtime_error: bad"));
  CHECK(has(text_of(investigate(trace, folder.path(), {})), "it still runs"));
}

TEST_CASE("a flight recorder of a finished run is a scene of its own; without one there is nothing to tell") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  SUBCASE("with one") {
    begin_batch(run);
    REQUIRE(run.drain().dump(run.now() + 1'000'000'000, "stalled for 60 s"));
    run.finish();
    const auto trace = *open_trace(folder.path());
    const auto report = investigate(trace, folder.path(), {});
    REQUIRE(report.scenes.size() == 1);
    CHECK(report.scenes[0].cause == "flight recorder: stalled for 60 s");
    REQUIRE(report.scenes[0].in_hand.size() == 1);
    CHECK(report.scenes[0].in_hand[0].seconds >= 0.9);
    CHECK(report.num_finished == 1);
  }
  SUBCASE("without") {
    run.finish();
    const auto trace = *open_trace(folder.path());
    CHECK(has(text_of(investigate(trace, folder.path(), {})), "every process of this run ended in order"));
  }
}

TEST_SUITE_END();
