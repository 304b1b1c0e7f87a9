#include "app/unjudged.hpp"

#include "actors/saver/checkpoint.hpp"
#include "tests/actors/saver/fixtures.hpp"
#include "tests/support/scratch_folder.hpp"

#include <fstream>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

using steps = std::vector<std::uint64_t>;

/// Checkpoints of steps 100, 200, ... at the ends of epochs 1, 2, ...
struct owed {
  scratch_folder folder;

  snapshot_ptr saved(std::uint64_t step, std::uint64_t version) {
    auto state = snapshot_at(step, version);
    REQUIRE(write_checkpoint(folder.path(), state, {}, std::chrono::system_clock::now()));
    return std::make_shared<const snapshot>(std::move(state));
  }
  steps found(const snapshot_ptr& resumed, const interval& every, const std::set<std::uint64_t>& judged,
              std::uint64_t num_epochs = 1000) {
    steps out;
    for (auto& each : find_unjudged(folder.path(), resumed, every, num_epochs, judged))
      out.push_back(each->tag.step);
    return out;
  }
};

} // namespace

TEST_SUITE("app") {

  TEST_CASE_FIXTURE(owed, "a due validation without a row is owed; the resumed step is judged again") {
    saved(100, 1);
    saved(200, 2);
    auto resumed = saved(300, 3);
    saved(400, 4);
    CHECK(found(resumed, {1, true}, {100}) == steps{200, 300});
    CHECK(found(resumed, {1, true}, {100, 200, 300}) == steps{300});
    CHECK(found(resumed, {2, true}, {}) == steps{200});
    CHECK(found(resumed, {200, false}, {}) == steps{200});
    CHECK(found(resumed, {0, false}, {}).empty());
    CHECK(found(resumed, {5, true}, {}).empty());
    CHECK(found(resumed, {5, true}, {}, 3) == steps{300});
  }

  TEST_CASE_FIXTURE(owed, "checkpoints of a branch that was given up owe nothing") {
    saved(100, 1);
    saved(200, 7); // Younger than what is resumed, but of an earlier step.
    CHECK(found(saved(300, 3), {1, true}, {}) == steps{100, 300});
  }

  TEST_CASE_FIXTURE(owed, "the rows of validation.csv are read by their steps, a torn one left out") {
    const auto path = folder / "validation.csv";
    CHECK(judged_steps(path)->empty());
    std::ofstream(path) << "step,epoch,loss\n100,1,0.5\n\"200\",2,0.4\nx,3,0.3\n300,3";
    CHECK(*judged_steps(path) == std::set<std::uint64_t>{100, 200});
  }

} // TEST_SUITE
