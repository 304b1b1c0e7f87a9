#include "actors/plugin/plugin_roles.hpp"
#include "actors/saver/checkpoint_state.hpp"
#include "app/trace_tools/remake/batch_members.hpp"
#include "app/trace_tools/remake/replayed_chunk.hpp"
#include "app/trace_tools/remake/shown_batch.hpp"
#include "tests/app/trace_tools/remake/made_run.hpp"

#include <filesystem>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_process;
using test::made_run;

namespace {

/// Offers, for as long as it lives, what a plugin would have brought.
struct offered_plugins {
  offered_plugins() {
    auto& actors = actor_registry::instance();
    actors.augmenters.emplace_back().name = "mosaic";
    actors.stages.emplace_back().name = "smear";
    actors.listeners.emplace_back().name = "curve";
    auto& weigher = actors.listeners.emplace_back();
    weigher.name = "hard_examples";
    weigher.weighs = true;
    component_registry::instance().batch_transforms.emplace_back().name = "tint";
  }
  offered_plugins(const offered_plugins&) = delete;
  offered_plugins& operator=(const offered_plugins&) = delete;
  ~offered_plugins() {
    actor_registry::instance() = {};
    component_registry::instance().batch_transforms.clear();
  }
};

/// 24 samples in batches of 8, 4 epochs.
std::string config(const std::string& stages, const std::string& transforms = "") {
  return "data: {train: {dataset: synthetic, size: 24, shape: [1, 12, 12], num_classes: 3}}, train: {epochs: 4}, "
         "pipeline: {batch_size: 8, stages: ["
         + stages + "]}, transforms: {train: [{random_crop: {size: 12, padding: 3}}]" + transforms + "}";
}

run_data open(const made_run& run) {
  auto out = run_data::open(run.folder());
  REQUIRE_MESSAGE(out, to_string(out.error()));
  return *out;
}

expected<shown_batch> show(const made_run& run, std::uint64_t batch) {
  const auto data = open(run);
  const auto trace = run.trace();
  return show_batch({data, &trace, run.folder()}, batch);
}

std::string text_of(const shown_batch& batch) {
  std::ostringstream out;
  print_text(batch, out);
  return out.str();
}

bool has(const std::string& text, const std::string& part) {
  return text.find(part) != std::string::npos;
}

/// Records all epochs under the order of a plain run, which is as good as any other; returns the chunks' messages.
std::vector<std::uint64_t> record(const made_run& run, bool full = true) {
  const auto data = open(run);
  made_process process(run, full);
  for (std::uint64_t epoch = 0; epoch < 4; ++epoch)
    process.serve(data.config(), epoch);
  return process.chunks;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/remake");

TEST_CASE_FIXTURE(offered_plugins, "what the actors of plugins had to do with the samples is read from the config") {
  const made_run run(config("curve, mosaic, smear"));
  const auto data = open(run);
  CHECK(data.actors().augmenter == "mosaic");
  CHECK(data.actors().stages == std::vector<std::string>{"smear"});
  CHECK_FALSE(data.actors().weighs);
  CHECK_FALSE(data.is_weighted(3));
}

TEST_CASE_FIXTURE(offered_plugins,
                  "a batch of a plugin's augmenter is shown as the transforms make it, which is told") {
  const made_run run(config("mosaic"));
  made_process{run};
  const auto shown = show(run, 1);
  REQUIRE(shown);
  CHECK(shown->samples.size() == 8);
  CHECK_FALSE(shown->check.differs());
  const auto text = text_of(*shown);
  CHECK(has(text, "not checked: of what the augmenter mosaic makes no hashes are recorded"));
  CHECK(has(text, "note: the augmenter mosaic made the samples in the run: they are shown as the transforms alone"));
}

TEST_CASE_FIXTURE(offered_plugins, "stages and batch steps that come after the samples are told, which are checked") {
  const made_run run(config("smear", ", batch_steps: [tint]"));
  record(run);
  const auto shown = show(run, 1);
  REQUIRE(shown);
  CHECK(shown->check.num_same == 8);
  const auto text = text_of(*shown);
  CHECK(has(text, "note: the stage smear changed the batch in the run: samples are shown as they were before"));
  CHECK(has(text, "note: tint changed the batch in the run (transforms.batch_steps): samples are shown as"));
}

TEST_CASE_FIXTURE(offered_plugins, "a message that a plugin's augmenter handled is refused, by the actor's name") {
  const made_run run(config("mosaic"));
  std::uint64_t message = 0;
  {
    made_process process(run);
    message = process.message("augmenter mosaic#1", "chunk_ready", {.sample = 1, .batch = 0});
  }
  const auto trace = run.trace();
  const auto chunk = find_chunk(trace, message);
  REQUIRE_FALSE(chunk);
  CHECK(chunk.error().code == ec::unsupported);
  CHECK(has(chunk.error().context, "was handled by augmenter mosaic#1, an actor of a plugin"));
}

TEST_CASE_FIXTURE(offered_plugins,
                  "where a listener weighs, the plan is good for two epochs, and later ones need records") {
  const made_run run(config("hard_examples"));
  SUBCASE("they are there") {
    const auto messages = record(run);
    const auto shown = show(run, 7);
    REQUIRE(shown);
    CHECK(shown->check.num_same == 8);
    CHECK(has(text_of(*shown), "note: a listener of the run may have said how this epoch's samples were drawn"));
    const auto trace = run.trace();
    auto chunk = find_chunk(trace, messages.back());
    REQUIRE(chunk);
    const auto again = replay(open(run), *chunk, [](std::uint64_t, const std::string&) {});
    REQUIRE_MESSAGE(again, to_string(again.error()));
    CHECK(again->check.num_same == chunk->samples.size());
  }
  SUBCASE("they are not") {
    const auto messages = record(run, /*full=*/false);
    CHECK(show(run, 5));
    const auto shown = show(run, 6);
    REQUIRE_FALSE(shown);
    CHECK(shown.error().code == ec::unsupported);
    CHECK(has(shown.error().context, "batch 6: the samples of epoch 3 may have been drawn as a listener"));
    const auto trace = run.trace();
    auto chunk = find_chunk(trace, messages.back());
    REQUIRE(chunk);
    const auto again = replay(open(run), *chunk, [](std::uint64_t, const std::string&) {});
    REQUIRE_FALSE(again);
    CHECK(again.error().code == ec::unsupported);
  }
}

TEST_CASE_FIXTURE(offered_plugins, "stories know the batches of the first two epochs of a weighted run only") {
  const made_run run(config("hard_examples"));
  record(run);
  const auto data = open(run);
  const auto trace = run.trace();
  batch_members members(data, trace, run.folder());
  CHECK(members.of(0) == *data.planned_batch(0));
  CHECK(members.count(5) == 8);
  CHECK_FALSE(members.of(6));
  CHECK_FALSE(members.count(11));
}

TEST_CASE_FIXTURE(offered_plugins,
                  "weights in the newest checkpoint count, too: the listener may have been taken out") {
  const made_run run(config(""));
  const auto folder = run.folder() + "/checkpoints/latest";
  std::filesystem::create_directories(folder);
  std::filesystem::copy(run.folder() + "/config.yaml", folder + "/config.yaml");
  snapshot state;
  state.attachments.push_back({"listener.curve", {}});
  put_file(folder + "/state.json", *to_json(state, {}));
  CHECK_FALSE(open(run).is_weighted(2));
  state.attachments.push_back({"sampling.1.2", {}});
  put_file(folder + "/state.json", *to_json(state, {}));
  CHECK(open(run).is_weighted(2));
  CHECK_FALSE(open(run).is_weighted(1));
}

TEST_CASE("a run whose plugin is gone is refused with what to do, and other files can be named") {
  const made_run run("plugins: [/nowhere/mosaic.so], " + config(""));
  const auto data = run_data::open(run.folder());
  REQUIRE_FALSE(data);
  CHECK(has(data.error().context, "/nowhere/mosaic.so"));
  CHECK(has(data.error().context, "--plugin FILE"));
  const auto other = run_data::open(run.folder(), {"/elsewhere/mosaic.so"});
  REQUIRE_FALSE(other);
  CHECK(has(other.error().context, "/elsewhere/mosaic.so"));
  CHECK_FALSE(has(other.error().context, "/nowhere"));
}

TEST_SUITE_END();
