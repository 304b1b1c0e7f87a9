#include "app/trace_tools/story/lost_messages.hpp"

#include "tests/support/made_run.hpp"
#include "tests/support/scratch_folder.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using troupe::test::made_run;
using troupe::test::made_run_options;

namespace {

std::string text_of(const lost_report& report) {
  std::ostringstream out;
  print_text(report, out);
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

const book_check* find_check(const lost_report& report, const std::string& part) {
  for (const auto& check : report.checks)
    if (has(check.what, part))
      return &check;
  return nullptr;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/story");

TEST_CASE("the books of a whole run add up, in both modes") {
  for (const bool full : {true, false}) {
    CAPTURE(full);
    const scratch_folder folder;
    made_run run{folder.path(), {.full = full, .ring_capacity = full ? 4096u : 64u}};
    run.train();
    run.finish();
    const auto trace = *open_trace(folder.path());
    const auto report = find_lost(trace, run_books{24, 0});
    CHECK(report.lost.empty());
    CHECK(report.adds_up());
    CHECK(find_check(report, "chunks handed")->figures == "12 = 12 + 0");
    CHECK(find_check(report, "batches handed")->figures == "6 = 6 + 0 + 0");
    CHECK(find_check(report, "snapshots")->figures == "2 + 0 = 2 + 0 + 0");
    CHECK((find_check(report, "each once an epoch") != nullptr) == full);
    CHECK(has(text_of(report), "every message was handled"));
  }
}

TEST_CASE("prefetched work that is left over is normal; a lost fact is not") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0, trace_outcome::never_handled);
  SUBCASE("left over") {
    run.finish();
    const auto trace = *open_trace(folder.path());
    const auto report = find_lost(trace, {});
    REQUIRE(report.lost.size() == 1);
    CHECK(report.lost[0].normal);
    CHECK(report.lost[0].newest.size() == 1);
    CHECK(report.adds_up());
    CHECK(find_check(report, "chunks handed")->figures == "13 = 12 + 1");
    CHECK(has(text_of(report), "as at the end of every run"));
  }
  SUBCASE("lost") {
    for (std::uint64_t i = 0; i < 5; ++i)
      run.send("trainer", "logger", "step_completed", {.step = 7 + i}, 0, trace_outcome::never_handled);
    run.finish();
    const auto trace = *open_trace(folder.path());
    const auto report = find_lost(trace, {});
    CHECK_FALSE(report.adds_up());
    REQUIRE(report.lost.size() == 2);
    CHECK(report.lost[0].type == "step_completed");
    CHECK(report.lost[0].count == 5);
    CHECK(report.lost[0].newest.size() == 3);
    CHECK(has(text_of(report), "NOT everything adds up"));
  }
  SUBCASE("with an actor that threw") {
    run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0, trace_outcome::threw);
    run.finish();
    const auto trace = *open_trace(folder.path());
    const auto report = find_lost(trace, {});
    CHECK_FALSE(report.adds_up());
    CHECK(has(text_of(report), "the actor ended by an exception"));
  }
}

TEST_CASE("a chunk that nobody told done, and a snapshot that came to nothing, do not add up") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0);
  run.send("trainer", "saver", "snapshot", {.step = 7, .version = 3}, 0);
  run.send("trainer", "saver", "snapshot", {.step = 8, .version = 4}, 0);
  run.send("trainer", "saver", "snapshot", {.step = 9, .version = 5}, 0);
  run.finish();
  const auto trace = *open_trace(folder.path());
  const auto report = find_lost(trace, run_books{25, 0});
  CHECK_FALSE(find_check(report, "chunks handed")->adds_up);
  CHECK_FALSE(find_check(report, "slices filled")->adds_up);
  CHECK_FALSE(find_check(report, "snapshots")->adds_up);
  CHECK_FALSE(find_check(report, "each once an epoch")->adds_up);
  CHECK_FALSE(report.adds_up());
  std::ostringstream out;
  print_json(report, out);
  CHECK(nlohmann::json::parse(out.str())["adds_up"] == false);
}

TEST_CASE("samples made twice are counted once, bad ones as skipped; prefetched ones not at all") {
  made_run_options options;
  std::uint64_t trained = 24, skipped = 0;
  SUBCASE("lead") {
    options.short_epoch = true;
    trained = 22;
  }
  SUBCASE("replaced") {
    options.bad = 1;
    options.replace_bad = true;
    trained = 22;
    skipped = 2;
  }
  SUBCASE("stopped") {
    options.end_batch = 4;
    trained = 16;
  }
  const scratch_folder folder;
  made_run run{folder.path(), options};
  run.train();
  run.finish();
  const auto trace = *open_trace(folder.path());
  CHECK(find_lost(trace, run_books{trained, skipped}).adds_up());
  CHECK_FALSE(find_lost(trace, run_books{trained + 1, skipped}).adds_up());
  CHECK_FALSE(find_lost(trace, run_books{trained - 1, skipped}).adds_up());
  CHECK_FALSE(find_lost(trace, run_books{trained, skipped + 1}).adds_up());
}

TEST_CASE("a batch that the trainer took and did not train on does not add up, unless it was told to stop") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  run.send("collator", "trainer", "batch_ready", {.batch = 6}, 0);
  run.finish();
  const auto report = find_lost(*open_trace(folder.path()), {});
  CHECK_FALSE(find_check(report, "batches handed")->adds_up);
}

TEST_CASE("what a process that died had in hand and in mailboxes is told as lost with it") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  run.finish();
  auto trace = *open_trace(folder.path());
  auto& process = trace.processes[0];
  process.state = process_state::died;
  actor_state state;
  state.name = run.name("trainer");
  state.mailbox_depth = 2;
  process.actors = {state};
  const auto text = text_of(find_lost(trace, {}));
  CHECK(has(text, "lost with the process: trainer: 2 in its mailbox"));
  CHECK_FALSE(has(text, "every message was handled"));
}

TEST_CASE("while a process runs the difference is under way") {
  const scratch_folder folder;
  made_run run{folder.path()};
  run.train();
  run.send("loader", "augmenter#0", "chunk_ready", {.batch = 6}, 0);
  const auto trace = *open_trace(folder.path());
  const auto report = find_lost(trace, {});
  CHECK(report.adds_up());
  CHECK(has(find_check(report, "chunks handed")->note, "under way"));
}

TEST_CASE("books are read from summary.json, if it is one") {
  const scratch_folder folder;
  CHECK_FALSE(read_books(folder.path()));
  put_file(folder / "summary.json", "{");
  CHECK_FALSE(read_books(folder.path()));
  put_file(folder / "summary.json", R"({"samples_trained": 24, "samples_skipped": 1})");
  const auto books = read_books(folder.path());
  REQUIRE(books);
  CHECK(books->samples_trained == 24);
  CHECK(books->samples_skipped == 1);
}

TEST_SUITE_END();
