#include "actors/plugin/testing.hpp"
#include "tests/support/scratch_folder.hpp"

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const std::string header = "id,label,predicted,loss,epoch\n";

struct fixture {
  plugin mine = this_plugin();
  const listener_kind& kind = offered(mine.actors.listeners, "hard_examples");
  scratch_folder folder;

  [[nodiscard]] listener_setup setup(std::string kept = {}, std::uint64_t resumed_step = 0) const {
    return {.folder = folder.path(),
            .class_names = {"cat", "dog"},
            .num_samples = 10,
            .kept = std::move(kept),
            .resumed_step = resumed_step};
  }
  [[nodiscard]] std::string file() const { return bytes_of(folder / "hard_examples.csv"); }
};

/// Epoch `epoch` of five steps of two samples: sample i has the loss (i * 7 + epoch) % 10.
void train(listener_bench& bench, std::uint64_t epoch, std::uint64_t first_step = 0) {
  for (std::uint64_t k = first_step; k < 5; ++k) {
    std::vector<sample_score> samples;
    for (const auto id : {2 * k, 2 * k + 1})
      samples.push_back({id, static_cast<std::int64_t>(id % 2), 1, static_cast<float>((id * 7 + epoch) % 10)});
    bench.step(epoch * 5 + k + 1, epoch, samples, k == 4);
  }
}

} // namespace

TEST_SUITE_BEGIN("app/examples");

TEST_CASE_FIXTURE(fixture, "after each epoch the worst are written, the worst first") {
  listener_bench bench(kind, {{"top", 2}}, setup());
  CHECK(file() == header);
  train(bench, 0);
  CHECK(file() == header + "7,1,1,9.000000,1\n4,0,1,8.000000,1\n");
  train(bench, 1);
  CHECK(file() == header + "7,1,1,9.000000,1\n4,0,1,8.000000,1\n4,0,1,9.000000,2\n1,1,1,8.000000,2\n");
  CHECK(bench.failures().empty());
}

TEST_CASE_FIXTURE(fixture,
                  "of equal losses the first in the data set comes first, and samples never seen do not count") {
  listener_bench bench(kind, {{"top", 5}}, setup());
  bench.step(1, 0, {{8, 0, 1, 2.f}, {3, 0, 1, 2.f}}, true);
  CHECK(file() == header + "3,0,1,2.000000,1\n8,0,1,2.000000,1\n");
}

TEST_CASE_FIXTURE(fixture, "the last loss of a sample counts") {
  listener_bench bench(kind, {{"top", 1}}, setup());
  bench.step(1, 0, {{8, 0, 1, 9.f}, {8, 0, 0, 1.f}, {2, 1, 0, 3.f}}, true);
  CHECK(file() == header + "2,1,0,3.000000,1\n");
}

TEST_CASE_FIXTURE(fixture, "without a boost samples are drawn as before") {
  listener_bench bench(kind, {}, setup());
  train(bench, 0);
  CHECK(bench.weigh(0) == nullptr);
}

TEST_CASE_FIXTURE(fixture, "the worst share is drawn more often by the boost") {
  listener_bench bench(kind, {{"boost", 3}, {"share", 0.2}}, setup());
  train(bench, 0);
  const auto weights = bench.weigh(0);
  REQUIRE(weights);
  CHECK(*weights == std::vector<float>{1, 1, 1, 1, 3, 1, 1, 3, 1, 1});
}

TEST_CASE_FIXTURE(fixture, "resumed in the middle of an epoch it goes on exactly, and no row comes twice") {
  const settings given{{"top", 3}, {"boost", 2}};
  std::string straight, kept, kept_at_end;
  {
    listener_bench bench(kind, given, setup());
    train(bench, 0);
    bench.step(6, 1, {{0, 0, 1, 1.f}, {1, 1, 1, 8.f}});
    kept = bench.keep();
    train(bench, 1, 1);
    straight = file();
    kept_at_end = bench.keep();
  }
  listener_bench resumed(kind, given, setup(kept, 6)); // The checkpoint is older than the file.
  train(resumed, 1, 1);
  CHECK(file() == straight);
  CHECK(resumed.keep() == kept_at_end);
  CHECK(*resumed.weigh(1) == std::vector<float>{1, 1, 1, 1, 2, 1, 1, 1, 1, 1});
}

TEST_CASE_FIXTURE(fixture, "a sample that the data set does not have is a failure that is told, and it listens on") {
  listener_bench bench(kind, {{"top", 1}}, setup());
  bench.step(1, 0, {{10, 0, 1, 9.f}}, true);
  REQUIRE(bench.failures().size() == 1);
  CHECK(bench.failures()[0].component == "listener hard_examples");
  bench.step(2, 0, {{9, 0, 1, 9.f}}, true);
  CHECK(file() == header + "9,0,1,9.000000,1\n");
}

TEST_SUITE_END();
