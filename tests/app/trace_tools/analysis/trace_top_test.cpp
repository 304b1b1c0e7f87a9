#include "app/trace_tools/analysis/trace_top.hpp"

#include "actors/glue/trace_recorder.hpp"
#include "tests/support/made_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <csignal>
#include <nlohmann/json.hpp>
#include <sstream>
#include <sys/wait.h>
#include <unistd.h>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr std::int64_t second = 1'000'000'000;

const top_actor& actor_of(const top_view& view, const std::string& name) {
  for (const auto& actor : view.actors)
    if (actor.name == name)
      return actor;
  FAIL("no actor " << name);
  return view.actors.front();
}

std::unique_ptr<trace_recorder> start(const std::string& folder = {}) {
  auto recorder = trace_recorder::start({.folder = folder, .num_rings = 2, .ring_capacity = 64});
  REQUIRE(recorder);
  return std::move(*recorder);
}

/// A message of the trainer that was handled from `begun_ns` to `ended_ns`.
void handle(trace_recorder& recorder, std::int64_t begun_ns, std::int64_t ended_ns) {
  recorder.put({.message = recorder.next_message_id(),
                .enqueued_ns = begun_ns,
                .dequeued_ns = begun_ns,
                .ended_ns = ended_ns,
                .receiver = recorder.map().strings().intern("trainer"),
                .name = recorder.map().strings().intern("batch_ready")});
}

/// A child process that traces into `folder` and then waits to be killed.
pid_t tracing_child(const std::string& folder) {
  int ready[2] = {};
  REQUIRE(pipe(ready) == 0);
  const auto child = fork();
  REQUIRE(child >= 0);
  if (child == 0) {
    auto recorder = trace_recorder::start({.folder = folder, .num_rings = 2, .ring_capacity = 64});
    if (!recorder)
      _exit(1);
    handle(**recorder, second, 2 * second);
    (void)!write(ready[1], "x", 1);
    while (true)
      pause();
  }
  char byte = 0;
  REQUIRE(read(ready[0], &byte, 1) == 1);
  close(ready[0]);
  close(ready[1]);
  return child;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("two looks tell share, rate, mailbox and the message in hand between them") {
  const auto recorder = start();
  auto actor = recorder->map().actor(recorder->claim_actor(77));
  actor.rename(recorder->map().strings().intern("trainer"));
  handle(*recorder, 0, second / 2); // Before the first look: does not count.
  const auto before = look_at(recorder->map(), second);
  handle(*recorder, second, second + second / 4);
  for (int i = 0; i < 3; ++i)
    actor.count_enqueued();
  actor.count_dequeued();
  actor.begin({.message = 5,
               .since_ns = second + second / 2,
               .type = recorder->map().strings().intern("batch_ready"),
               .ids = {.sample = 17, .batch = 3}});
  const auto view = view_between(before, look_at(recorder->map(), 2 * second));
  CHECK(view.interval_seconds == doctest::Approx(1));
  const auto& trainer = actor_of(view, "trainer");
  CHECK(trainer.busy == doctest::Approx(0.75)); // A quarter that is done, and half a second in hand.
  CHECK(trainer.messages_per_second == doctest::Approx(1));
  CHECK(trainer.mailbox_depth == 2);
  REQUIRE(trainer.now);
  CHECK(trainer.now->type == "batch_ready");
  CHECK(trainer.now->age_seconds == doctest::Approx(0.5));
  CHECK(trainer.now->ids.sample == 17);
}

TEST_CASE("an actor that hangs is busy all the time") {
  const auto recorder = start();
  auto actor = recorder->map().actor(recorder->claim_actor(77));
  actor.rename(recorder->map().strings().intern("reader#0"));
  actor.begin({.message = 1, .since_ns = second, .type = 0, .ids = {}});
  const auto view = view_between(look_at(recorder->map(), 5 * second), look_at(recorder->map(), 6 * second));
  CHECK(actor_of(view, "reader#0").busy == doctest::Approx(1));
  CHECK(actor_of(view, "reader#0").now->age_seconds == doctest::Approx(5));
}

TEST_CASE("looks of the same moment, or in the wrong order, make no nonsense") {
  const auto recorder = start();
  handle(*recorder, 0, second);
  const auto early = look_at(recorder->map(), second);
  handle(*recorder, second, 2 * second);
  const auto late = look_at(recorder->map(), 2 * second);
  for (const auto& view : {view_between(early, early), view_between(late, early)}) {
    CHECK(actor_of(view, "trainer").busy == 0);
    CHECK(actor_of(view, "trainer").messages_per_second == 0);
  }
}

TEST_CASE("a process that runs, is stopped, and dies is looked at through its mapping") {
  const scratch_folder folder;
  const auto child = tracing_child(folder.path());
  const auto map = find_live_map(folder.path());
  REQUIRE(map);
  CHECK(condition_of(**map) == run_condition::running);
  kill(child, SIGSTOP);
  int status = 0;
  REQUIRE(waitpid(child, &status, WUNTRACED) == child);
  CHECK(condition_of(**map) == run_condition::stopped);
  auto view = view_between({0, {}}, look_at(**map, 4 * second));
  describe_process(**map, (*map)->header().monotonic_ns + 3 * second, view);
  CHECK(view.condition == run_condition::stopped);
  CHECK(view.pid == static_cast<std::uint64_t>(child));
  CHECK(view.up_seconds == doctest::Approx(3));
  CHECK(actor_of(view, "trainer").busy == doctest::Approx(0.25));
  kill(child, SIGKILL);
  waitpid(child, nullptr, 0);
  CHECK(condition_of(**map) == run_condition::died);
  CHECK(find_live_map(folder.path()).error().code == ec::not_found);
}

TEST_CASE("a process that has ended is shown as a whole") {
  test::made_process made{10};
  made.messages("trainer", "batch_ready", 50, 1, 9, 0.1).span("trainer", "waits for batch", 1, 9);
  made.process().actors = {{made.name("trainer"), 4, handling{1, made.at(9), made.name("batch_ready"), {.batch = 50}}}};
  SUBCASE("finished") {
    const auto view = view_of_end(made.process());
    CHECK(view.condition == run_condition::finished);
    CHECK(actor_of(view, "trainer").busy == doctest::Approx(0.5));
    CHECK(actor_of(view, "trainer").messages_per_second == doctest::Approx(5));
    CHECK_FALSE(actor_of(view, "trainer").now);
  }
  SUBCASE("died") {
    made.process().state = process_state::died;
    made.process().fatal_signal = 11;
    const auto view = view_of_end(made.process());
    CHECK(view.condition == run_condition::died);
    CHECK(view.last_words == "killed by SIGSEGV (11)");
    CHECK(actor_of(view, "trainer").mailbox_depth == 4);
    CHECK(actor_of(view, "trainer").now->age_seconds == doctest::Approx(1));
  }
}

TEST_CASE("text and JSON name the process and what each actor is at") {
  const top_view view{"00000000000000aa", 12, run_condition::stopped, 90, 1, "", {}};
  auto with_actor = view;
  with_actor.actors = {{"augmenter#0", 1200, 1, 20.5, top_message{"chunk_ready", 0.25, {.sample = 17, .batch = 3}}},
                       {"saver", 0, 0, 0, std::nullopt}};
  std::ostringstream text, json;
  print_text(with_actor, text);
  print_json(with_actor, json);
  CHECK(text.str().starts_with("process 00000000000000aa (pid 12) stopped, up 90.0 s, over the last 1.0 s:\n"));
  CHECK(text.str().find("augmenter#0  chunk_ready      sample 17, batch 3  250 ms    1,200  100.0 %")
        != std::string::npos);
  const auto parsed = nlohmann::json::parse(json.str());
  CHECK(parsed["state"] == "stopped");
  CHECK(parsed["actors"][0]["now"]["sample"] == 17);
  CHECK_FALSE(parsed["actors"][0]["now"].contains("step"));
  CHECK(parsed["actors"][1]["now"].is_null());
}

TEST_SUITE_END();
