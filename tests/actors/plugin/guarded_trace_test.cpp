#include "actors/glue/register_messages.hpp"
#include "tests/actors/plugin/moody.hpp"
#include "tests/support/trace_fixture.hpp"

#include <caf/send.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;
using namespace troupe::testing;

namespace {

struct fixture {
  fixture() {
    static const bool once = (register_messages(), true);
    static_cast<void>(once);
  }

  memory_recorder trace; // Before the actors.
  plugin lab = moody_plugin();
  pipeline_bench bench = bench_of(plain_samples({10, 20}, {1, 2, 2}));

  [[nodiscard]] trace_record only(const char* label) const {
    const auto found = trace.messages(label);
    REQUIRE(found.size() == 1);
    return found[0];
  }
};

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE_FIXTURE(fixture, "causes reach through a plugin's augmenter, also over a request to the loader") {
  const auto result = bench.run(lab.actors.augmenters.at(0));
  REQUIRE(result.failures.empty());
  const auto chunk = only("chunk_ready"), request = only("samples_wanted"), answer = only("samples_found"),
             filled = only("slice_filled"), done = only("chunk_done");
  CHECK(request.cause == chunk.message);
  CHECK(answer.cause == request.message);
  CHECK(filled.cause == answer.message);
  CHECK(done.cause == answer.message);
  for (const auto& each : {request, answer, filled, done})
    CHECK(each.root == chunk.root);
  CHECK(trace.text(chunk.receiver) == "augmenter moody#0");
  CHECK(trace.text(filled.sender) == "augmenter moody#0");
}

TEST_CASE_FIXTURE(fixture,
                  "a message at which a plugin threw is recorded as such, and what follows has it as its cause") {
  for (const std::string where : {"chunk", "response"}) {
    memory_recorder* const fresh = &trace;
    const auto num_before = fresh->records().size();
    static_cast<void>(bench.run(lab.actors.augmenters.at(0), {{"where", where}}));
    auto records = fresh->records();
    records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(num_before));
    const auto threw = std::find_if(records.begin(), records.end(),
                                    [](const auto& each) { return each.outcome == trace_outcome::threw; });
    REQUIRE(threw != records.end());
    CHECK(trace.text(threw->name) == (where == "chunk" ? "chunk_ready" : "samples_found"));
    CHECK(trace.text(threw->receiver) == "augmenter moody#0");
  }
}

TEST_CASE_FIXTURE(fixture, "a disabled augmenter keeps its name and its causes") {
  bench.on_failure = plugin_policy::disable;
  bench.chunk_size = 1;
  static_cast<void>(bench.run(lab.actors.augmenters.at(0), {{"where", "chunk"}}));
  const auto chunks = trace.messages("chunk_ready");
  REQUIRE(chunks.size() == 2);
  CHECK(only("slice_filled").cause == chunks[1].message);
  CHECK(trace.text(only("slice_filled").sender) == "augmenter moody#0");
}

TEST_CASE_FIXTURE(fixture, "what a stage hands on has the slice that it was given as its cause") {
  static_cast<void>(bench.run(lab.actors.stages.at(0)));
  const auto slices = trace.messages("slice_filled");
  REQUIRE(slices.size() == 2);
  CHECK(trace.text(slices[0].receiver) == "stage moody#0");
  CHECK(slices[1].cause == slices[0].message);
}

TEST_SUITE_END();
