#include "app/trace_tools/analysis/verdict.hpp"

#include "tests/support/made_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <random>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_process;

namespace {

/// What the stages of a run of 1000 steps were like, that trained from 2 s to 42 s: 40 ms a step.
struct made_run {
  double step = 0.038; ///< The trainer's own seconds.
  double data_wait = 0, validator_wait = 0;
  double loader = 0.1, reader = 0.1, augmenter = 0.3, collator = 0.05, logger = 0.01; ///< Share that each is busy.
  int num_readers = 0, num_augmenters = 2;
  std::string augmenter_name = "augmenter"; ///< A plugin's: "augmenter mosaic".
  double stage = 0;                         ///< Share that each of a plugin's actors is busy that follow, and
  int num_stages = 0;                       ///< how many there are.
  std::uint32_t num_cpus = 8;
};

constexpr double begun = 2, ended = 42;
constexpr std::uint64_t num_steps = 1000;

void add_busy(made_process& to, const std::string& actor, const char* type, double share) {
  to.messages(actor, type, num_steps, begun, ended, share * (ended - begun) / num_steps);
}

made_process make(const made_run& run) {
  made_process made{50, run.num_cpus};
  made.messages("trainer", "batch_ready", num_steps, begun, ended, run.step);
  made.add(trace_kind::value, "trainer", "loss", num_steps, begun, ended);
  made.messages("trainer", "status", 5, 0.5, 1.5, 0.1); // Not while it trained.
  made.span("trainer", "waits for first batch", 0.5, 2);
  made.add(trace_kind::span, "trainer", "waits for batch", num_steps, begun, ended, run.data_wait * 0.04);
  made.add(trace_kind::span, "trainer", "waits for validator", 10, begun, ended, run.validator_wait * 4);
  add_busy(made, "loader", "next augmenter", run.loader);
  for (int i = 0; i < run.num_readers; ++i)
    add_busy(made, "reader#" + std::to_string(i), "chunk_wanted", run.reader);
  for (int i = 0; i < run.num_augmenters; ++i)
    add_busy(made, run.augmenter_name + "#" + std::to_string(i), "chunk_ready", run.augmenter);
  for (int i = 1; i <= run.num_stages; ++i)
    add_busy(made, "stage smear#" + std::to_string(i), "slice_filled", run.stage);
  add_busy(made, "collator", "slice_filled", run.collator);
  add_busy(made, "logger", "step_completed", run.logger);
  return made;
}

verdict judge_run(const made_run& run, const torch_threads& threads = {1, 1}) {
  return judge(make(run).trace(), threads);
}

bool says(const std::string& text, const char* what) {
  return text.find(what) != std::string::npos;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("a run whose trainer never waits is limited by the trainer") {
  const auto found = judge_run({});
  CHECK(found.stage == limiting_stage::trainer);
  CHECK(found.num_steps == num_steps);
  CHECK(found.step_seconds == doctest::Approx(0.04));
  CHECK(found.expected_step_seconds == doctest::Approx(0.04));
}

TEST_CASE("busy augmenters are to be more, as many as bring the step down to the trainer's own time") {
  const auto found = judge_run({.step = 0.025, .data_wait = 0.375, .augmenter = 0.99});
  CHECK(found.stage == limiting_stage::augmenting);
  CHECK(found.data_wait == doctest::Approx(0.375));
  CHECK(says(found.finding, "waited 37.5 % of the time for batches (without the first one)"));
  CHECK(says(found.finding, "augmenters (2) busy 99.0 %, loader 10.0 %"));
  // 79.2 ms of augmenting per step: four of them take 19.8 ms, less than the trainer.
  CHECK(says(found.advice, "add 2 augmenters (pipeline.augmenters: 4)"));
  CHECK(found.expected_step_seconds == doctest::Approx(0.025));
  CHECK_FALSE(found.at_best);
}

TEST_CASE("no more augmenters are asked for than there are cores") {
  SUBCASE("one is left") {
    const auto found = judge_run({.step = 0.01, .data_wait = 0.75, .augmenter = 0.99, .num_cpus = 3});
    CHECK(says(found.advice, "add 1 augmenter (pipeline.augmenters: 3)"));
    CHECK(found.expected_step_seconds == doctest::Approx(0.0264));
  }
  SUBCASE("none is left") {
    const auto found = judge_run({.step = 0.01, .data_wait = 0.75, .augmenter = 0.99, .num_cpus = 2});
    CHECK(found.stage == limiting_stage::augmenting);
    CHECK(says(found.advice, "no core is free"));
    CHECK(found.expected_step_seconds == doctest::Approx(0.01));
    CHECK(found.at_best);
  }
  SUBCASE("the trainer's threads take the others") {
    const auto found = judge_run({.step = 0.025, .data_wait = 0.375, .augmenter = 0.99, .num_cpus = 8}, {10, 1});
    CHECK(says(found.advice, "no core is free"));
  }
}

TEST_CASE("a plugin's augmenters are augmenters, of which the stages' list says how many there are") {
  const auto found =
    judge_run({.step = 0.025, .data_wait = 0.375, .augmenter = 0.99, .augmenter_name = "augmenter mosaic"});
  CHECK(found.stage == limiting_stage::augmenting);
  CHECK(says(found.finding, "augmenters (2) busy 99.0 %"));
  CHECK(says(found.advice, "add 2 augmenters (instances of mosaic in pipeline.stages: 4)"));
}

TEST_CASE("a busy stage of a plugin is named") {
  SUBCASE("of several actors there are to be more") {
    const auto found = judge_run({.step = 0.025, .data_wait = 0.375, .stage = 0.99, .num_stages = 2});
    CHECK(found.stage == limiting_stage::staging);
    CHECK(static_cast<int>(found.stage) == 17);
    CHECK(says(found.finding, "augmenters (2) busy 30.0 %, stage smear (2) 99.0 %, loader"));
    CHECK(says(found.advice, "add 2 actors (instances of smear in pipeline.stages: 4), or make smear cheaper"));
    CHECK(found.expected_step_seconds == doctest::Approx(0.025));
  }
  SUBCASE("the only one may need all slices in order") {
    const auto found = judge_run({.step = 0.025, .data_wait = 0.375, .stage = 0.95, .num_stages = 1});
    CHECK(found.stage == limiting_stage::staging);
    CHECK(says(found.advice, "or if it needs all slices in order, make smear cheaper"));
  }
  SUBCASE("busier augmenters come first, and the stage limits what more of them bring") {
    const auto found = judge_run({.step = 0.01, .data_wait = 0.75, .augmenter = 0.99, .stage = 0.9, .num_stages = 1});
    CHECK(found.stage == limiting_stage::augmenting);
    CHECK(found.expected_step_seconds == doctest::Approx(0.036));
  }
}

TEST_CASE("busy readers, or a busy loader, are a matter of reading") {
  SUBCASE("more readers, whatever the cores do: they wait for the disk") {
    const auto found = judge_run({.step = 0.02, .data_wait = 0.5, .reader = 0.98, .num_readers = 4, .num_cpus = 2});
    CHECK(found.stage == limiting_stage::reading);
    CHECK(says(found.advice, "add 4 readers (pipeline.readers: 8)"));
    CHECK(found.expected_step_seconds == doctest::Approx(0.02));
  }
  SUBCASE("the augmenters limit what more readers bring") {
    const auto found =
      judge_run({.step = 0.01, .data_wait = 0.75, .reader = 0.98, .augmenter = 0.8, .num_readers = 4, .num_cpus = 8});
    CHECK(found.stage == limiting_stage::reading);
    CHECK(found.expected_step_seconds == doctest::Approx(0.032));
  }
  SUBCASE("a data set without readers is read by the loader") {
    const auto found = judge_run({.step = 0.02, .data_wait = 0.5, .loader = 0.9});
    CHECK(found.stage == limiting_stage::reading);
    CHECK(says(found.advice, "loader"));
    CHECK(found.at_best);
  }
}

TEST_CASE("a busy collator is a matter of collating") {
  const auto found = judge_run({.step = 0.02, .data_wait = 0.5, .collator = 0.9});
  CHECK(found.stage == limiting_stage::collating);
  CHECK(found.expected_step_seconds == doctest::Approx(0.02));
}

TEST_CASE("where no stage is busy, there are too few buffers, or too few cores") {
  const auto idle = judge_run({.step = 0.02, .data_wait = 0.5});
  CHECK(idle.stage == limiting_stage::prefetch);
  CHECK(says(idle.advice, "pipeline.prefetch_batches"));
  CHECK_FALSE(says(idle.advice, "read_ahead"));
  CHECK(says(judge_run({.step = 0.02, .data_wait = 0.5, .num_readers = 2}).advice, "pipeline.read_ahead"));
  const auto crowded = judge_run({.step = 0.02, .data_wait = 0.5, .augmenter = 0.7, .num_cpus = 2});
  CHECK(crowded.stage == limiting_stage::prefetch);
  CHECK(says(crowded.finding, "all 2 cores are in use"));
}

TEST_CASE("shares on the border of what counts") {
  CHECK(judge_run({.data_wait = 0.0499, .augmenter = 0.99}).stage == limiting_stage::trainer);
  CHECK(judge_run({.data_wait = 0.0501, .augmenter = 0.99}).stage == limiting_stage::augmenting);
  CHECK(judge_run({.data_wait = 0.3, .augmenter = 0.851}).stage == limiting_stage::augmenting);
  CHECK(judge_run({.data_wait = 0.3, .augmenter = 0.849}).stage == limiting_stage::prefetch);
  CHECK(judge_run({.data_wait = 0.2, .validator_wait = 0.21}).stage == limiting_stage::validating);
  CHECK(judge_run({.data_wait = 0.21, .validator_wait = 0.2, .augmenter = 0.9}).stage == limiting_stage::augmenting);
}

TEST_CASE("a trainer that waits for the validator is to ask less of it") {
  const auto found = judge_run({.step = 0.02, .validator_wait = 0.5});
  CHECK(found.stage == limiting_stage::validating);
  CHECK(says(found.advice, "validation.policy: latest"));
  CHECK(found.expected_step_seconds == doctest::Approx(0.02));
}

TEST_CASE("the end of the run counts where the steps never waited") {
  auto made = make({});
  SUBCASE("for the validator") {
    made.span("supervisor", "phase validating", 42, 49);
    const auto found = judge(made.trace());
    CHECK(found.stage == limiting_stage::validating);
    CHECK(found.after_training == doctest::Approx(0.14));
    CHECK(says(found.finding, "waited 7.0 s (14.0 % of the run) for the validator"));
    CHECK(found.expected_step_seconds == doctest::Approx(found.step_seconds));
  }
  SUBCASE("for the saver") {
    made.span("supervisor", "phase saving", 42, 49);
    CHECK(judge(made.trace()).stage == limiting_stage::saving);
  }
  SUBCASE("for the logger") {
    made.span("supervisor", "phase logging", 42, 49);
    CHECK(judge(made.trace()).stage == limiting_stage::logging);
  }
  SUBCASE("not if it is short") {
    made.span("supervisor", "phase validating", 42, 46.9);
    CHECK(judge(made.trace()).stage == limiting_stage::trainer);
  }
}

TEST_CASE("a third of the checkpoints superseded is a matter of saving") {
  auto made = make({});
  made.marks("saver", "checkpoint durable", 20).marks("saver", "checkpoint failed", 1);
  SUBCASE("a third") {
    made.marks("saver", "checkpoint superseded", 11);
    const auto found = judge(made.trace());
    CHECK(found.stage == limiting_stage::saving);
    CHECK(says(found.finding, "11 of 32 checkpoints were superseded"));
    CHECK(says(found.advice, "checkpoint.every"));
  }
  SUBCASE("less") {
    made.marks("saver", "checkpoint superseded", 10);
    CHECK(judge(made.trace()).stage == limiting_stage::trainer);
  }
}

TEST_CASE("a logger that is always busy is told of") {
  CHECK(judge_run({.logger = 0.91}).stage == limiting_stage::logging);
  CHECK(judge_run({.logger = 0.89}).stage == limiting_stage::trainer);
}

TEST_CASE("too little to judge is undecided, and says what is missing") {
  SUBCASE("nothing") {
    const auto found = judge(made_process{5}.trace());
    CHECK(found.stage == limiting_stage::undecided);
    CHECK(says(found.finding, "no step was recorded"));
    CHECK(judge({}).stage == limiting_stage::undecided);
  }
  SUBCASE("few steps") {
    made_process made{9};
    made.messages("trainer", "batch_ready", 19, 2, 8, 0.1).messages("logger", "step_completed", 19, 2, 8, 0.001);
    const auto found = judge(made.trace());
    CHECK(found.stage == limiting_stage::undecided);
    CHECK(says(found.finding, "only 19 steps in 6.0 s"));
    CHECK(found.num_steps == 19);
  }
  SUBCASE("little time") {
    made_process made{9};
    made.messages("trainer", "batch_ready", 90, 2, 2.9, 0.01).messages("logger", "step_completed", 90, 2, 3, 0.001);
    CHECK(judge(made.trace()).stage == limiting_stage::undecided);
  }
  SUBCASE("just enough") {
    made_process made{9};
    made.messages("trainer", "batch_ready", 20, 2, 3.1, 0.05).messages("logger", "step_completed", 20, 2, 3, 0.001);
    CHECK(judge(made.trace()).stage == limiting_stage::trainer);
  }
}

TEST_CASE("of several processes the newest that did a step is judged") {
  const auto slow_data = make({.data_wait = 0.4, .augmenter = 0.99}).process();
  const auto trainer_bound = make({}).process();
  const auto idle = made_process{5}.process();
  CHECK(judge({{slow_data, trainer_bound}, {}}).stage == limiting_stage::trainer);
  CHECK(judge({{trainer_bound, slow_data}, {}}).stage == limiting_stage::augmenting);
  CHECK(judge({{trainer_bound, slow_data, idle}, {}}).stage == limiting_stage::augmenting);
}

TEST_CASE("processes that run, or died, are judged by what there is, and it is said") {
  for (const auto state : {process_state::running, process_state::died}) {
    auto made = make({.data_wait = 0.4, .augmenter = 0.99});
    made.process().state = state;
    const auto found = judge(made.trace());
    CHECK(found.stage == limiting_stage::augmenting);
    CHECK(found.state == state);
    std::ostringstream out;
    print_text(found, out);
    CHECK(says(out.str(), state == process_state::running ? "still runs" : "died"));
  }
}

TEST_CASE("work before and after the training does not count as load") {
  auto made = make({});
  made.messages("loader", "open", 1, 0, 1.9, 1.9);
  made.messages("validator", "batch_ready", 100, 42.5, 49, 0.06);
  for (const auto& load : judge(made.trace()).stages) {
    if (load.stage == "loader")
      CHECK(load.busy == doctest::Approx(0.1));
    if (load.stage == "validator")
      CHECK(load.busy == 0);
  }
}

TEST_CASE("the text and the JSON tell stage, finding, advice and the step") {
  const auto found = judge_run({.step = 0.025, .data_wait = 0.375, .augmenter = 0.99});
  std::ostringstream text, json;
  print_text(found, text);
  print_json(found, json);
  CHECK(text.str().starts_with("limited by: augmenting\n"));
  CHECK(says(text.str(), "expected: 40.0 ms -> 25.0 ms/step"));
  const auto parsed = nlohmann::json::parse(json.str());
  CHECK(parsed["stage"] == "augmenting");
  CHECK(parsed["code"] == 11);
  CHECK(parsed["expected_step_seconds"] == doctest::Approx(0.025));
  CHECK(parsed["stages"].size() == 5);
}

TEST_CASE("threads of LibTorch are those of the run's config on its cores, whatever the state of the run") {
  const scratch_folder folder;
  const std::string data = "data: {train: {dataset: synthetic, size: 9, shape: [1, 9, 9], num_classes: 3}}";
  for (const auto state : {process_state::running, process_state::died, process_state::finished}) {
    auto made = make({.num_cpus = 6});
    made.process().state = state;
    put_file(folder / "config.yaml", "{" + data + "}");
    REQUIRE(threads_of_run(made.trace(), folder.path()));
    CHECK(threads_of_run(made.trace(), folder.path())->trainer == 6);
    CHECK(threads_of_run(made.trace(), folder.path())->validator == 1);
    put_file(folder / "config.yaml", "{" + data + ", train: {torch_threads: 3}, validation: {torch_threads: 2}}");
    CHECK(threads_of_run(made.trace(), folder.path())->trainer == 3);
    CHECK(threads_of_run(made.trace(), folder.path())->validator == 2);
    put_file(folder / "config.yaml", "{" + data + ", run: {device: 'cuda:0'}}");
    CHECK(threads_of_run(made.trace(), folder.path())->trainer == 1);
  }
}

TEST_CASE("the threads of a run that went on are those of its newest checkpoint") {
  const scratch_folder folder;
  const std::string data = "{data: {train: {dataset: synthetic, size: 9, shape: [1, 9, 9], num_classes: 3}}, ";
  std::filesystem::create_directories(folder / "checkpoints/latest");
  put_file(folder / "config.yaml", data + "train: {torch_threads: 2}}");
  put_file(folder / "checkpoints/latest/config.yaml", data + "train: {torch_threads: 5}}");
  CHECK(threads_of_run(make({}).trace(), folder.path())->trainer == 5);
}

TEST_CASE("without config or cores the threads are not known, and nothing is said of cores") {
  const scratch_folder folder;
  CHECK_FALSE(threads_of_run(make({}).trace(), folder.path()));
  put_file(folder / "config.yaml", "data: {train: {dataset: synthetic, size: 9, shape: [1, 9, 9], num_classes: 3}}");
  CHECK(threads_of_run(make({}).trace(), folder.path()));
  CHECK_FALSE(threads_of_run(make({.num_cpus = 0}).trace(), folder.path()));
  CHECK_FALSE(threads_of_run(recorded_trace{}, folder.path()));
  CHECK(says(judge_run({}).advice, "some cores are free"));
  for (const made_run& run : {made_run{},
                              {.validator_wait = 0.5},
                              {.data_wait = 0.4},
                              {.data_wait = 0.4, .augmenter = 0.99},
                              {.data_wait = 0.4, .augmenter = 0.99, .num_cpus = 2}}) {
    const auto found = judge(make(run).trace());
    CHECK_FALSE(found.cores_in_use);
    for (const auto* words : {"core", "torch_threads"})
      CHECK_FALSE(says(found.finding + found.advice, words));
    std::ostringstream json;
    print_json(found, json);
    CHECK(nlohmann::json::parse(json.str())["cores_in_use"] == nullptr);
  }
}

TEST_CASE("whatever the counts are, shares stay within 0 and 1 and times are numbers") {
  std::mt19937_64 random{1};
  const char* actors[] = {"trainer",     "loader",   "reader#0",   "augmenter#0",
                          "augmenter#1", "collator", "validator",  "validation loader",
                          "saver",       "logger",   "supervisor", "x#y"};
  const char* types[] = {"batch_ready",           "step_completed",      "loss",
                         "waits for batch",       "waits for validator", "phase validating",
                         "checkpoint superseded", "chunk_ready"};
  const auto any_time = [&] { return static_cast<std::int64_t>(random() >> (1 + random() % 40)); };
  for (int round = 0; round < 3000; ++round) {
    made_process made{1, static_cast<std::uint32_t>(random() % 9)};
    made.process().seen_ns = any_time();
    for (auto rows = random() % 40; rows > 0; --rows) {
      auto& stats =
        made.process()
          .stats[{static_cast<trace_kind>(random() % num_trace_kinds), made.name(actors[random() % std::size(actors)]),
                  made.name(types[random() % std::size(types)]), 0}];
      for (auto& each : stats.outcomes)
        each = random() % 3 == 0 ? random() >> (random() % 60) : 0;
      stats.first_ns = any_time();
      stats.last_ns = any_time();
      stats.handling.sum_ns = random() >> (random() % 60);
    }
    const auto found = judge(made.trace(), torch_threads{random() % 100, random() % 100});
    for (const auto share : {found.data_wait, found.validator_wait, found.after_training})
      REQUIRE((share >= 0 && share <= 1));
    for (const auto& load : found.stages)
      REQUIRE((load.busy >= 0 && load.busy <= 1 && load.seconds_per_step >= 0));
    REQUIRE(std::isfinite(found.step_seconds));
    REQUIRE(found.expected_step_seconds >= 0);
    REQUIRE(found.expected_step_seconds <= found.step_seconds);
    std::ostringstream out;
    print_text(found, out);
    print_json(found, out);
  }
}

TEST_SUITE_END();
