#include "app/trace_tools/story/follow.hpp"

#include "tests/support/made_run.hpp"
#include "tests/support/scratch_folder.hpp"

#include <filesystem>
#include <sstream>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;
using troupe::test::made_run;
using troupe::test::made_run_options;

namespace {

/// A finished run in a folder of its own.
struct run_fixture {
  explicit run_fixture(made_run_options options = {}) {
    std::filesystem::create_directories(folder / "trace");
    run.emplace(folder / "trace", options);
    run->train();
    run->finish();
  }

  [[nodiscard]] recorded_trace trace() const {
    auto opened = open_trace(folder / "trace");
    REQUIRE(opened);
    return std::move(*opened);
  }

  [[nodiscard]] expected<story_line> ask(const std::string& what, follow_options options = {},
                                         story_data data = {
                                           .sample = {}, .find = {}, .seed = {}, .problem = "no data"}) {
    const auto subject = parse_subject(what);
    REQUIRE(subject);
    options.run_folder = folder.path();
    return follow(trace(), *subject, options, data);
  }

  [[nodiscard]] std::string text(const std::string& what, follow_options options = {}) {
    const auto story = ask(what, options);
    if (!story)
      return story.error().context;
    std::ostringstream out;
    print_text(*story, out);
    return out.str();
  }

  scratch_folder folder;
  std::optional<made_run> run;
};

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t found = 0;
  for (auto at = text.find(part); at != std::string::npos; at = text.find(part, at + 1))
    ++found;
  return found;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/story");

TEST_CASE("a subject is a kind and an id or a path") {
  CHECK(*parse_subject("sample:17") == story_subject{subject_kind::sample, 17, {}});
  CHECK(*parse_subject("file:a:b.jpg") == story_subject{subject_kind::file, 0, "a:b.jpg"});
  CHECK(to_string(*parse_subject("checkpoint:3")) == "checkpoint:3");
  for (const auto* text : {"", "17", "sample", "sample:", "sample:x", "sample:-1", "batch:1x", "dog:3"}) {
    CAPTURE(text);
    const auto subject = parse_subject(text);
    REQUIRE_FALSE(subject);
    CHECK(subject.error().code == ec::bad_config);
  }
}

TEST_CASE("a sample is followed through every use, into the checkpoint and the validation of its step") {
  run_fixture fixture;
  std::filesystem::create_directories(fixture.folder / "checkpoints/step-000000003-v0001-20261130T190501Z");
  const auto text = fixture.text("sample:1");
  CHECK(count(text, "in training: sample 1") == 2);
  CHECK(count(text, "in validation: sample 1") == 2);
  CHECK(has(text, "epoch 1, batch 0, slot 1: made by augmenter#0"));
  CHECK(has(text, "epoch 2, batch 5, slot 2: made by augmenter#1"));
  CHECK(has(text, "pixels 0x00000000000003e9")); // 1001
  CHECK(has(text, "pixels 0x00000000000007d1")); // 2001
  CHECK(
    has(text, "loader -> augmenter#0: chunk_ready (sample 0, batch 0), 1.0 kB; waited 20.0 us, handled in 30.0 us"));
  CHECK(has(text, "augmenter#0 -> collator: slice_filled (batch 0)"));
  CHECK(has(text, "collator -> trainer: batch_ready (batch 0)"));
  CHECK(has(text, "trainer: waits for batch (batch 0)"));
  CHECK(has(text, "step 1: completed at"));
  CHECK(has(text, "loss 1, learning rate 0.25"));
  CHECK(has(text, "snapshot 1 (step 3): the first one that contains step 1"));
  CHECK(has(text, "checkpoint of snapshot 1 (step 3): durable at"));
  CHECK(has(text, "checkpoints/step-000000003-v0001-20261130T190501Z"));
  CHECK(has(text, "checkpoint of snapshot 2 (step 6): durable at"));
  CHECK(has(text, "its folder is not there any more"));
  CHECK(has(text, "validation of snapshot 1 (step 3): top1 0.5000, loss 0.1250"));
  CHECK_FALSE(has(text, "not in the trace"));
}

TEST_CASE("a slice is followed through the stages of plugins, which are named") {
  const scratch_folder folder;
  std::filesystem::create_directories(folder / "trace");
  {
    made_run run(folder / "trace");
    run.train();
    const auto filled = run.newest("slice_filled", 4);
    const auto relayed = run.send("relay smear", "stage smear#1", "slice_filled", {.batch = 4}, filled);
    run.send("stage smear#1", "collator", "slice_filled", {.batch = 4}, relayed);
    run.send("relay smear", "stage smear#2", "slice_filled", {.batch = 4}, 0);
    run.drain().drain();
    run.finish();
  }
  const auto trace = open_trace(folder / "trace");
  REQUIRE(trace);
  const auto story =
    follow(*trace, *parse_subject("batch:4"), {}, {.sample = {}, .find = {}, .seed = {}, .problem = "no data"});
  REQUIRE(story);
  std::ostringstream out;
  print_text(*story, out);
  CHECK(has(out.str(), "relay smear -> stage smear#1: slice_filled (batch 4)"));
  CHECK(has(out.str(), "stage smear#1 -> collator: slice_filled (batch 4)"));
  CHECK(count(out.str(), "slice_filled") == 4);
  CHECK_FALSE(has(out.str(), "the chunk_ready that it was filled from"));
}

TEST_CASE("the uses of a sample can be limited, and to one epoch") {
  run_fixture fixture;
  CHECK(has(fixture.text("sample:1", {.limit = 1, .epoch = {}, .run_folder = {}}), "and 3 more times (--limit)"));
  const auto text = fixture.text("sample:1", {.limit = 8, .epoch = 2, .run_folder = {}});
  CHECK(count(text, "in training: sample 1") == 1);
  CHECK(has(text, "epoch 2, batch 5"));
}

TEST_CASE("with the data at hand a sample has its name, its key and what was drawn") {
  run_fixture fixture;
  story_data data;
  data.seed = 42;
  data.find = [](const std::string& path) {
    return path == "cat.jpg" ? std::optional<std::uint64_t>{1} : std::nullopt;
  };
  data.sample = [](bool of_validation, std::uint64_t id, std::uint64_t epoch) {
    told_sample facts{"cats/cat.jpg", "cat", {"random_crop: at (3, 1)"}, {}, {}};
    facts.pixel_hash = of_validation ? 7 : made_run::pixel_hash(id, epoch == 1 ? 9 : epoch);
    return facts;
  };
  const auto story = fixture.ask("file:cat.jpg", {}, data);
  REQUIRE(story);
  std::ostringstream out;
  print_text(*story, out);
  CHECK(has(out.str(), "file:cat.jpg (sample 1)"));
  CHECK(has(out.str(), "sample 1 (cats/cat.jpg, class cat)"));
  CHECK(has(out.str(), "seed key: seed 42, epoch index 1, sample 1"));
  CHECK(has(out.str(), "drew random_crop: at (3, 1)"));
  CHECK(has(out.str(), "made again: the same pixels"));
  CHECK(has(out.str(), "made again: other pixels"));
  const auto missing = fixture.ask("file:dog.jpg", {}, data);
  REQUIRE_FALSE(missing);
  CHECK(missing.error().code == ec::not_found);
}

TEST_CASE("without the data the story says so; a file cannot be looked up then") {
  run_fixture fixture;
  CHECK(has(fixture.text("sample:1"), "names and drawn parameters: not there (no data)"));
  CHECK(has(fixture.text("file:cat.jpg"), "cannot look it up: no data"));
}

TEST_CASE("a batch has its chunks, samples, slices and step; the validation's of that number is another one") {
  run_fixture fixture;
  const auto text = fixture.text("batch:1");
  CHECK(has(text, "chunk that begins with sample 4, filled by augmenter#0"));
  CHECK(has(text, "chunk that begins with sample 6, filled by augmenter#1"));
  CHECK(has(text, "reader#0 -> loader: chunk_read"));
  CHECK(has(text, "4 samples"));
  CHECK(has(text, "step 2: completed"));
  CHECK(has(text, "validation batch 1"));
  CHECK(has(text, "validation of snapshot 2 (step 6): top1 0.7500"));
  CHECK_FALSE(has(text, "not in the trace"));
  CHECK(has(fixture.text("batch:1", {.limit = 1, .epoch = {}, .run_folder = {}}), "and 3 more (--limit)"));
}

TEST_CASE("a step of several batches has all of them, and so has the last one") {
  run_fixture fixture{{.full = true, .ring_capacity = 4096, .accumulate = 3, .first_superseded = false}};
  for (const auto* what : {"step:1", "step:2"}) {
    CAPTURE(what);
    const auto text = fixture.text(what);
    CHECK(count(text, "\n  batch ") == 0);
    CHECK(count(text, "    batch ") == 3);
    CHECK_FALSE(has(text, "not in the trace"));
  }
  CHECK(has(fixture.text("step:2"), "    batch 5"));
  CHECK(has(fixture.text("batch:4"), "step 2: completed"));
  CHECK(has(fixture.text("batch:2"), "step 1: completed"));
}

TEST_CASE("a superseded snapshot is told apart from the checkpoint that came after it") {
  run_fixture fixture{{.full = true, .ring_capacity = 4096, .accumulate = 1, .first_superseded = true}};
  const auto text = fixture.text("step:2");
  CHECK(has(text, "checkpoint of snapshot 1 (step 3): not written: a newer snapshot came first"));
  CHECK(has(text, "checkpoint of snapshot 2 (step 6): durable at"));
}

TEST_CASE("a checkpoint tells what it contains") {
  run_fixture fixture;
  const auto text = fixture.text("checkpoint:2");
  CHECK(has(text, "checkpoint of snapshot 2 (step 6): durable at"));
  CHECK(has(text, "contains steps 4 to 6 since the snapshot before: 3 steps recorded, 3 batches, 12 samples, last loss "
                  "0.166667"));
  CHECK(has(text, "validation of snapshot 2 (step 6): top1 0.7500"));
  CHECK(has(fixture.text("checkpoint:1"), "contains steps 1 to 3 since the process began"));
}

TEST_CASE("a message has its causes up to the first one, links among them, and what it led to") {
  run_fixture fixture;
  const auto step = fixture.run->newest("step_completed", 0);
  const auto text = fixture.text("message:" + std::to_string(step), {.limit = 20, .epoch = {}, .run_folder = {}});
  for (const auto* type : {"batch_ready", "chunk_ready", "chunk_read", "chunk_wanted"})
    CHECK(has(text, type));
  CHECK(count(text, "slice_filled") == 2); // Of both chunks: one by its link.
  CHECK(has(text, "led to no other message"));
  const auto ready = fixture.run->newest("batch_ready", 2);
  const auto effects = fixture.text("message:" + std::to_string(ready), {.limit = 20, .epoch = {}, .run_folder = {}});
  CHECK(has(effects, "while it was handled"));
  CHECK(has(effects, "trainer: loss 0.333333"));
  CHECK(has(effects, "trainer -> logger: step_completed"));
  const auto few = fixture.text("message:" + std::to_string(step), {.limit = 1, .epoch = {}, .run_folder = {}});
  CHECK(has(few, "farther back (--limit), the chain began with message"));
}

TEST_CASE("what only the newest records would tell is said to be missing") {
  run_fixture fixture{{.full = false, .ring_capacity = 16}};
  const auto old = fixture.text("batch:0");
  CHECK(has(old, "not in the trace"));
  CHECK(has(old, "set trace.mode: full"));
  CHECK(has(fixture.text("sample:3"), "set trace.mode: full"));
  CHECK(has(fixture.text("batch:1"), "validation of snapshot 2"));
  CHECK(has(fixture.text("message:123456789"), "not in the trace"));
}

TEST_CASE("a sample that two batches made was trained in the one that kept it") {
  made_run_options options;
  options.short_epoch = true;
  run_fixture fixture{options};
  story_data data;
  data.members = [](std::uint64_t batch) -> std::optional<std::vector<std::uint64_t>> {
    return batch == 2 ? std::vector<std::uint64_t>{8, 9, 10}
                      : std::vector<std::uint64_t>{4 * batch, 4 * batch + 1, 4 * batch + 2, 4 * batch + 3};
  };
  data.num_members = [](std::uint64_t batch) { return std::optional<std::uint64_t>{batch % 3 == 2 ? 3 : 4}; };
  const auto text = [&](const std::string& what, std::optional<std::uint64_t> epoch = {}) {
    std::ostringstream out;
    print_text(*fixture.ask(what, {.limit = 8, .epoch = epoch, .run_folder = {}}, data), out);
    return out.str();
  };
  const auto lead = text("sample:7", 1);
  CHECK(count(lead, "in training: sample 7") == 1);
  CHECK(has(lead, "batch 1, slot 3"));
  CHECK(has(lead, "made for batch 2 too"));
  CHECK(has(lead, "kept by batch 1"));
  const auto last = text("batch:2");
  CHECK(has(last, "3 samples"));
  CHECK(has(last, "batch 2, slot 0: made by augmenter#0"));
  CHECK(has(last, "sample 7, made for slot 0"));
  CHECK(has(text("checkpoint:1"), "3 batches, 11 samples"));
}

TEST_CASE("a bad sample ends where it was left out, replaced or closed up") {
  made_run_options options;
  options.bad = 1;
  options.replace_bad = true;
  run_fixture replaced{options};
  const auto text = replaced.text("sample:1", {.limit = 8, .epoch = 1, .run_folder = {}});
  CHECK(has(text, "left out of the batch; replaced by sample 11"));
  CHECK(count(text, "step 1: completed") == 0);
  CHECK(has(replaced.text("sample:11", {.limit = 8, .epoch = 1, .run_folder = {}}), "kept by batch 0"));
  options.replace_bad = false;
  run_fixture closed{options};
  CHECK(has(closed.text("sample:1"), "left out of the batch; the gap was closed up"));
}

TEST_CASE("a checkpoint of a resumed or stopped process has its steps and the samples of its batches only") {
  made_run_options options;
  options.first_batch = 4;
  CHECK(has(run_fixture{options}.text("checkpoint:2"),
            "contains steps 5 to 6 since the process began: 2 steps recorded, 2 batches, 8 samples"));
  options.first_batch = 0;
  options.end_batch = 4;
  run_fixture stopped{options};
  CHECK(
    has(stopped.text("checkpoint:2"), "steps 4 to 4 since the snapshot before: 1 steps recorded, 1 batches, 4 sam"));
  CHECK(has(stopped.text("batch:4"), "not trained on: the training ended before it"));
}

TEST_CASE("what is not there is told with what is; nothing is the message, step or checkpoint 0") {
  run_fixture fixture;
  CHECK(has(fixture.text("sample:70"), "not in the trace, which has samples 0 to 11 of epochs 1 to 2"));
  CHECK(has(fixture.text("step:9"), "which has steps 1 to 6"));
  CHECK(has(fixture.text("sample:1", {.limit = 8, .epoch = 3, .run_folder = {}}), "in epoch 3: not in the trace"));
  for (const auto* what : {"message:0", "step:0", "checkpoint:0"})
    CHECK(has(fixture.text(what), "counted from 1"));
}

TEST_CASE("processes of one run are told apart") {
  run_fixture fixture;
  fixture.run.reset();
  fixture.run.emplace(fixture.folder / "trace");
  fixture.run->train();
  fixture.run->finish();
  const auto text = fixture.text("batch:0");
  CHECK(count(text, "\n  process ") == 2);
  CHECK(count(text, "    batch 0") == 2);
}

TEST_CASE("the JSON holds the facts of every line") {
  run_fixture fixture;
  const auto story = fixture.ask("step:1");
  REQUIRE(story);
  std::ostringstream out;
  print_json(*story, out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["subject"] == "step:1");
  const auto& step = json["parts"][1]; // Behind the word that there are no data.
  CHECK(step["step"] == 1);
  CHECK(step["loss"] == 1.0);
  CHECK(step["parts"][0]["version"] == 1);
}

TEST_SUITE_END();
