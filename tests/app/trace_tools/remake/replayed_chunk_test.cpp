#include "app/trace_tools/remake/replayed_chunk.hpp"

#include "tests/app/trace_tools/remake/made_run.hpp"
#include "tests/app/trace_tools/remake/pictures.hpp"

#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_process;
using test::made_run;

namespace {

const std::string config = "data: {train: {dataset: synthetic, size: 49, shape: [1, 12, 12], num_classes: 3}, "
                           "validation: {dataset: synthetic, size: 20, shape: [1, 12, 12], num_classes: 3, seed: 2}}, "
                           "transforms: {train: [{random_crop: {size: 12, padding: 3}}]}, validation: {batch_size: 6}, "
                           "pipeline: {batch_size: 8, chunk_size: 3}";

run_data open(const made_run& run) {
  auto out = run_data::open(run.folder());
  REQUIRE_MESSAGE(out, to_string(out.error()));
  return *out;
}

expected<replayed_chunk> try_replay(const made_run& run, const recorded_trace& trace, std::uint64_t message,
                                    std::vector<std::uint64_t>* begun = nullptr) {
  auto chunk = find_chunk(trace, message);
  if (!chunk)
    return chunk.error();
  return replay(open(run), *chunk, [&](std::uint64_t id, const std::string&) {
    if (begun != nullptr)
      begun->push_back(id);
  });
}

void check_exact(const made_run& run, const std::vector<std::uint64_t>& messages) {
  const auto trace = run.trace();
  REQUIRE_FALSE(messages.empty());
  for (const auto message : messages) {
    CAPTURE(message);
    const auto chunk = try_replay(run, trace, message);
    REQUIRE_MESSAGE(chunk, to_string(chunk.error()));
    CHECK(chunk->check.num_same == chunk->recorded.samples.size());
    CHECK(chunk->check.differences == std::vector<std::string>{});
  }
}

std::vector<std::uint64_t> record(const made_run& run, bool full = true, const made_process::hand& change = {}) {
  const auto data = open(run);
  made_process process(run, full);
  process.serve(data.config(), 0, 0, change);
  process.serve(data.config(), 1, 0, change);
  return process.chunks;
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/remake");

TEST_CASE("every message to an augmenter does the same again") {
  const made_run run(config);
  const auto messages = record(run);
  check_exact(run, messages);
  const auto trace = run.trace();
  std::vector<std::uint64_t> begun;
  const auto chunk = try_replay(run, trace, messages[1], &begun);
  REQUIRE(chunk);
  CHECK(chunk->samples.size() == 3);
  CHECK(chunk->samples[0].slot == 3);
  REQUIRE(begun.size() == 3);
  CHECK(begun[2] == chunk->samples[2].id);
  std::ostringstream out;
  print_text(*chunk, out);
  CHECK(out.str().find("chunk_ready for augmenter#0, batch 0, epoch 1, handled\n"
                       "reproduced exactly: 3 of 3 samples\ntook ")
        != std::string::npos);
}

TEST_CASE("messages with bad samples and their replacements do the same again") {
  const scratch_folder pictures;
  test::put_pictures(pictures / "data", 12);
  put_file(pictures / "data/cat/03.ppm", "P6 no");
  put_file(pictures / "data/cat/07.ppm", "");
  put_file(pictures / "data/dog/01.ppm", "P6 no");
  const made_run run(test::picture_config(
    pictures / "data", "pipeline: {batch_size: 8, bad_samples: {policy: replace, max: 10, max_share: 1}}"));
  check_exact(run, record(run));
}

TEST_CASE("validation messages are made of the validation data") {
  const made_run run(config);
  const auto data = open(run);
  std::vector<std::uint64_t> messages;
  {
    made_process process(run);
    const auto& set = *data.set(true);
    const auto plan = epoch_plan::make(20, 6, false, false, 9);
    REQUIRE(plan);
    chunk_maker maker(set.data, *plan, /*shuffle=*/false, nullptr);
    for (std::uint64_t pass = 0; pass < 2; ++pass) {
      const auto batch = plan->batch(pass, 2);
      const auto chunk = maker.reading_of(maker.request({batch.id, batch.epoch, batch.first_position, 0, 3}))();
      const auto slices = test::make_slices(set, batch, 6, 3);
      static_cast<void>(process.augment("validation augmenter#0", set, 9, chunk, slices.front()));
    }
    messages = process.chunks;
  }
  check_exact(run, messages);
}

TEST_CASE("a message that an augmenter died with is made again as planned") {
  const made_run run(config);
  const auto data = open(run);
  const auto planned = data.planned_batch(2);
  REQUIRE(planned);
  std::uint64_t message = 0;
  {
    made_process process(run);
    message =
      process.message("augmenter#1", "chunk_ready", {.sample = (*planned)[3], .batch = 2}, trace_outcome::threw);
  }
  const auto trace = run.trace();
  const auto chunk = try_replay(run, trace, message);
  REQUIRE(chunk);
  REQUIRE(chunk->samples.size() == 3);
  for (std::size_t i = 0; i < 3; ++i)
    CHECK(chunk->samples[i].id == (*planned)[3 + i]);
  CHECK(chunk->why_unchecked == "the augmenter did not come that far");
  CHECK_FALSE(chunk->check.differs());
}

TEST_CASE("a flight recording is made again unchecked") {
  const made_run run(config);
  const auto messages = record(run, /*full=*/false);
  const auto trace = run.trace();
  const auto chunk = try_replay(run, trace, messages.back());
  REQUIRE_MESSAGE(chunk, to_string(chunk.error()));
  CHECK(chunk->check.num_checked == 0);
  CHECK(chunk->why_unchecked.find("trace.mode: full") != std::string::npos);
}

TEST_CASE("a sample that comes out differently is named") {
  const made_run run(config);
  const auto messages = record(run, true, [](trace_record& record) { record.cause ^= record.version == 1 ? 1 : 0; });
  const auto trace = run.trace();
  const auto chunk = try_replay(run, trace, messages.front());
  REQUIRE(chunk);
  REQUIRE(chunk->check.differences.size() == 1);
  CHECK(chunk->check.differences[0].starts_with("slot 1, sample "));
  std::ostringstream out;
  print_json(*chunk, out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["num_same"] == 2);
  CHECK(json["message"] == messages.front());
  CHECK(json["samples"][1]["result"] == "DIFFERS");
}

TEST_CASE("other messages are refused, with the reason") {
  const made_run run(config);
  std::uint64_t message = 0;
  {
    made_process process(run);
    message = process.message("trainer", "batch_ready", {.batch = 1});
  }
  const auto trace = run.trace();
  const auto chunk = find_chunk(trace, message);
  REQUIRE_FALSE(chunk);
  CHECK(chunk.error().context
        == "replay makes augmenter messages (chunk_ready) again; message " + std::to_string(message)
             + " is a batch_ready for trainer");
  const auto none = find_chunk(trace, 123'456'789);
  REQUIRE_FALSE(none);
  CHECK(none.error().code == ec::not_found);
}

TEST_SUITE_END();
