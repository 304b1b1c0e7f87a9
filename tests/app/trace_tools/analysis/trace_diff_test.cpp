#include "app/trace_tools/analysis/trace_diff.hpp"

#include "tests/support/made_process.hpp"
#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <sstream>

#include "tests/support/doctest.hpp"

using namespace troupe;
using test::made_process;

namespace {

/// Both of steps of 32 samples.
expected<trace_diff> compare(const recorded_trace& a, const recorded_trace& b) {
  return troupe::compare({a, step_shape{32, 1}}, {b, step_shape{32, 1}});
}

std::string text_of(const trace_diff& diff) {
  std::ostringstream out;
  print_text(diff, out);
  return out.str();
}

bool says(const trace_diff& diff, const char* what) {
  return text_of(diff).find(what) != std::string::npos;
}

/// 100 steps, each with a wait for its batch; two augmenters that share the slices.
recorded_trace run(double step, double wait, double augmenter, int num_augmenters = 2) {
  const auto seconds = 100 * (step + wait);
  made_process made{seconds + 2};
  made.messages("trainer", "batch_ready", 100, 1, 1 + seconds, step);
  made.messages("logger", "step_completed", 100, 1, 1 + seconds, 0.0001);
  made.add(trace_kind::span, "trainer", "waits for batch", 100, 1, 1 + seconds, wait);
  made.add(trace_kind::span, "trainer", "trains", 100, 1, 1 + seconds, step);
  made.span("supervisor", "phase training", 1, 1 + seconds);
  made.messages("loader", "open", 1, 0.1, 0.9, 0.8);
  for (int i = 0; i < num_augmenters; ++i)
    made.messages("augmenter#" + std::to_string(i), "chunk_ready", 200 / static_cast<unsigned>(num_augmenters), 1,
                  1 + seconds, augmenter);
  return made.trace();
}

const diff_row& row_of(const trace_diff& diff, const char* stage, const char* what) {
  const auto found = std::find_if(diff.rows.begin(), diff.rows.end(),
                                  [&](const auto& row) { return row.stage == stage && row.what == what; });
  REQUIRE(found != diff.rows.end());
  return *found;
}

std::string first_line(const trace_diff& diff) {
  return text_of(diff).substr(0, text_of(diff).find('\n'));
}

} // namespace

TEST_SUITE_BEGIN("app/trace_tools/analysis");

TEST_CASE("what makes the most of a step's difference comes first") {
  const auto diff = compare(run(0.02, 0.001, 0.01), run(0.02, 0.031, 0.04));
  REQUIRE(diff);
  CHECK(diff->seconds_a == doctest::Approx(0.021));
  CHECK(diff->seconds_b == doctest::Approx(0.051));
  CHECK(first_line(*diff) == "step time: 21.0 ms -> 51.0 ms, 142.9 % slower; A: 100 steps, B: 100 steps");
  const auto& augmenting = row_of(*diff, "augmenters", "chunk_ready");
  CHECK(augmenting.change == diff_change::slower);
  CHECK(augmenting.difference == doctest::Approx(0.03)); // Two of them: a slice each per step.
  CHECK(augmenting.a.messages == doctest::Approx(2));
  CHECK(augmenting.b.num_actors == 2);
  CHECK(row_of(*diff, "trainer", "waits for batch").difference == doctest::Approx(0.03));
  CHECK(row_of(*diff, "trainer", "batch_ready").change == diff_change::same);
  for (std::size_t i = 1; i < diff->rows.size(); ++i)
    CHECK(std::abs(diff->rows[i - 1].difference) >= std::abs(diff->rows[i].difference));
}

TEST_CASE("only messages and waits of the training are compared") {
  const auto diff = compare(run(0.02, 0.001, 0.01), run(0.02, 0.001, 0.01));
  REQUIRE(diff);
  CHECK(diff->rows.size() == 4);
}

TEST_CASE("differences within the noise are the same, others are not") {
  CHECK(row_of(*compare(run(0.02, 0, 0.01), run(0.0228, 0, 0.01)), "trainer", "batch_ready").change
        == diff_change::same);
  const auto slower = compare(run(0.02, 0, 0.01), run(0.0232, 0, 0.01));
  CHECK(row_of(*slower, "trainer", "batch_ready").change == diff_change::slower);
  const auto faster = compare(run(0.02, 0, 0.01), run(0.0168, 0, 0.01));
  CHECK(row_of(*faster, "trainer", "batch_ready").change == diff_change::faster);
  CHECK(first_line(*faster).find("16.0 % faster") != std::string::npos);
  CHECK(first_line(*compare(run(0.02, 0, 0.01), run(0.021, 0, 0.01))).find("about the same (5.0 % slower)")
        != std::string::npos);
}

TEST_CASE("more actors make a stage faster") {
  const auto diff = compare(run(0.02, 0, 0.01, 1), run(0.02, 0, 0.01, 4));
  const auto& row = row_of(*diff, "augmenters", "chunk_ready");
  CHECK(row.change == diff_change::faster);
  CHECK(row.a.seconds == doctest::Approx(0.02));
  CHECK(row.b.seconds == doctest::Approx(0.005));
}

TEST_CASE("what only one run has is told") {
  auto other = run(0.02, 0, 0.01);
  made_process made{5};
  made.process() = other.processes[0];
  made.messages("saver", "snapshot", 10, 1.1, 2, 0.05);
  CHECK(row_of(*compare(other, made.trace()), "saver", "snapshot").change == diff_change::only_b);
  CHECK(row_of(*compare(made.trace(), other), "saver", "snapshot").change == diff_change::only_a);
}

TEST_CASE("a run without a step cannot be compared, and is named") {
  const auto diff = compare(run(0.02, 0, 0.01), made_process{1}.trace());
  REQUIRE_FALSE(diff);
  CHECK(diff.error().code == ec::not_found);
  CHECK(diff.error().context.find("run B") != std::string::npos);
  CHECK(compare({}, run(0.02, 0, 0.01)).error().context.find("run A") != std::string::npos);
}

TEST_CASE("runs whose steps are of different sizes are compared per sample") {
  const auto a = run(0.02, 0, 0.01), b = run(0.01, 0, 0.01); // 100 batches each.
  const auto diff = troupe::compare({a, step_shape{64, 1}}, {b, step_shape{32, 1}});
  REQUIRE(diff);
  CHECK(diff->per_sample);
  CHECK(diff->seconds_a == doctest::Approx(0.02 / 64));
  CHECK(diff->seconds_b == doctest::Approx(0.01 / 32));
  CHECK(first_line(*diff).starts_with("time per sample: 312 us -> 312 us, about the same"));
  CHECK(says(*diff, "a step of A has 64 x 1 samples (batch size x accumulated batches), of B 32 x 1"));
  CHECK(row_of(*diff, "trainer", "batch_ready").change == diff_change::same);
  CHECK(row_of(*diff, "trainer", "batch_ready").a.messages == doctest::Approx(1.0 / 64));
}

TEST_CASE("accumulated batches make a step larger, too") {
  auto made = made_process{30};
  made.messages("trainer", "batch_ready", 300, 1, 7, 0.02).messages("logger", "step_completed", 100, 1, 7, 0.0001);
  const auto a = made.trace(), b = run(0.02, 0, 0.01);
  const auto diff = troupe::compare({a, step_shape{32, 3}}, {b, step_shape{32, 1}});
  REQUIRE(diff);
  CHECK(diff->per_sample);
  CHECK(diff->change() == doctest::Approx(0));
}

TEST_CASE("it is said what a comparison is worth") {
  const auto whole = run(0.02, 0, 0.01);
  made_process made{5};
  made.messages("trainer", "batch_ready", 19, 1, 2, 0.02).messages("logger", "step_completed", 19, 1, 2, 0.0001);
  CHECK(compare(whole, whole)->remarks.empty());
  CHECK(says(*compare(whole, made.trace()), "run B has only 19 steps, expected 20 at least"));
  const auto unknown = troupe::compare({whole, step_shape{}}, {whole});
  CHECK_FALSE(unknown->per_sample);
  CHECK(says(*unknown, "the config of run B cannot be read"));
}

TEST_CASE("the table has the rows that make a difference, at most twenty, and tells how many there are") {
  CHECK(says(*compare(run(0.02, 0.001, 0.01), run(0.02, 0.001, 0.01)), "4 rows make less of a difference"));
  CHECK(says(*compare(run(0.02, 0.001, 0.01), run(0.02, 0.031, 0.01)), "3 more make less of a difference"));
  made_process a{5}, b{5};
  for (auto* made : {&a, &b}) {
    made->messages("trainer", "batch_ready", 100, 1, 4, 0.02).messages("logger", "step_completed", 100, 1, 4, 0.0001);
    for (int i = 0; i < 30; ++i)
      made->messages("loader", "type" + std::to_string(i), 100, 1, 4, made == &a ? 0.001 : 0.002);
  }
  const auto diff = compare(a.trace(), b.trace());
  CHECK(diff->rows.size() == 32);
  CHECK(says(*diff, "12 more make less of a difference (--json has all)"));
}

TEST_CASE("the size of a run's steps is that of its config") {
  const scratch_folder folder;
  CHECK_FALSE(shape_of_run(folder.path()));
  put_file(folder / "config.yaml", "{data: {train: {dataset: synthetic, size: 9, shape: [1, 9, 9], num_classes: 3}}, "
                                   "pipeline: {batch_size: 24}, train: {accumulate: 3}}");
  CHECK(shape_of_run(folder.path()) == step_shape{24, 3});
}

TEST_CASE("the JSON holds both sides") {
  std::ostringstream out;
  print_json(*compare(run(0.02, 0, 0.01), run(0.04, 0, 0.01)), out);
  const auto json = nlohmann::json::parse(out.str());
  CHECK(json["change"] == doctest::Approx(1));
  CHECK(json["rows"][0]["stage"] == "trainer");
  CHECK(json["rows"][0]["type"] == "batch_ready");
  CHECK(json["rows"][0]["change"] == "slower");
  CHECK(json["rows"][0]["b"]["seconds"] == doctest::Approx(0.04));
}

TEST_SUITE_END();
