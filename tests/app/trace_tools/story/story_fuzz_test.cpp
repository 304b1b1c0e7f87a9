#include "app/trace_tools/story/crash_report.hpp"
#include "app/trace_tools/story/filter.hpp"
#include "app/trace_tools/story/follow.hpp"
#include "app/trace_tools/story/lost_messages.hpp"

#include "tests/support/made_run.hpp"
#include "tests/support/scratch_folder.hpp"

#include <random>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using troupe::test::made_run;

namespace {

const std::vector<std::string> texts = {"trainer",
                                        "loader",
                                        "saver",
                                        "logger",
                                        "validator",
                                        "collator",
                                        "augmenter#0",
                                        "validation augmenter#0",
                                        "chunk_ready",
                                        "slice_filled",
                                        "chunk_done",
                                        "batch_ready",
                                        "step_completed",
                                        "snapshot",
                                        "validation_report",
                                        "checkpoint durable",
                                        "checkpoint failed",
                                        "loss",
                                        "top1",
                                        "waits for batch",
                                        "odd \xff name",
                                        ""};

/// Few different ids, so that they meet; sometimes none, or an absurd one.
std::uint64_t small_id(std::mt19937_64& random) {
  const auto drawn = random() % 20;
  return drawn == 19 ? random() : drawn == 18 ? no_id : drawn;
}

trace_record random_record(std::mt19937_64& random, made_run& run) {
  trace_record record{.message = small_id(random), .cause = small_id(random), .root = small_id(random)};
  const auto time = [&] { return random() % 8 == 0 ? 0 : run.now() + static_cast<std::int64_t>(random() % 1'000'000); };
  record.enqueued_ns = time();
  record.dequeued_ns = time();
  record.ended_ns = time();
  put_ids(record, {small_id(random), small_id(random), small_id(random), small_id(random), random() % 3});
  record.sender = run.name(texts[random() % texts.size()]);
  record.receiver = run.name(texts[random() % texts.size()]);
  record.name = run.name(texts[random() % texts.size()]);
  record.kind = static_cast<trace_kind>(random() % num_trace_kinds);
  record.outcome = static_cast<trace_outcome>(random() % num_trace_outcomes);
  return record;
}

void ask_everything(const recorded_trace& trace, const std::string& folder, std::ostream& out) {
  for (const auto* kind : {"sample:", "batch:", "step:", "checkpoint:", "message:"})
    for (std::uint64_t id = 0; id < 18; ++id) {
      const auto subject = parse_subject(kind + std::to_string(id));
      const auto story = follow(trace, *subject, {.limit = 30, .epoch = {}, .run_folder = folder}, {});
      if (!story)
        continue;
      print_text(*story, out);
      print_json(*story, out);
    }
  for (const auto order : {filter_order::time, filter_order::wait, filter_order::value, filter_order::bytes}) {
    const auto result = filter(trace, {.order = order, .limit = 10});
    print_text(result, out);
    print_json(result, out);
  }
  const auto lost = find_lost(trace, run_books{1, 2});
  print_text(lost, out);
  print_json(lost, out);
  const auto crash = investigate(trace, folder, {.num_last = 3, .prefetch_batches = 2});
  print_text(crash, out);
  print_json(crash, out);
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/story");

TEST_CASE("whatever the records say, every tool comes to an end and prints") {
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    CAPTURE(seed);
    std::mt19937_64 random{seed};
    const scratch_folder folder;
    made_run run{folder.path()};
    for (int i = 0; i < 300; ++i)
      run.recorder().put(random_record(random, run));
    if (seed % 2 == 0)
      run.finish();
    const auto trace = open_trace(folder.path());
    REQUIRE(trace);
    std::ostringstream out;
    ask_everything(*trace, folder.path(), out);
    CHECK_FALSE(out.str().empty());
    CHECK(out.str().size() < 100'000'000);
  }
}

TEST_CASE("causes that go in circles end where they meet themselves") {
  const scratch_folder folder;
  made_run run{folder.path()};
  for (std::uint64_t i = 1; i <= 3; ++i) {
    trace_record record{.message = i, .cause = i % 3 + 1, .root = 1, .enqueued_ns = run.now() + 1};
    record.receiver = run.name("loader");
    record.name = run.name("next");
    run.recorder().put(record);
  }
  run.finish();
  const auto trace = *open_trace(folder.path());
  const auto story = follow(trace, *parse_subject("message:1"), {}, {});
  REQUIRE(story);
  std::ostringstream out;
  print_text(*story, out);
  CHECK(out.str().size() < 2000);
}

TEST_SUITE_END();
