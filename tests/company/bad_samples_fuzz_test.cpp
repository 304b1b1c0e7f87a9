#include "tests/company/data_loop.hpp"
#include "tests/support/scratch_folder.hpp"

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <numeric>
#include <string>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

using batches = std::vector<batch_copy>;
using ids = std::vector<std::uint64_t>;

constexpr std::uint64_t num_orders = 60;
constexpr std::uint64_t num_kill_orders = 4;
const ids bad_ids{3, 10, 11, 17}; ///< 17 has no file, the others are no images.

/// Pictures of 8 x 8, some of which are none.
struct pictures {
  pictures() {
    ::setenv("XDG_CACHE_HOME", (folder / "cache").c_str(), 1);
    std::string rows = "path,label\n";
    for (std::uint64_t id = 0; id < data_loop::num_samples; ++id) {
      const auto name = std::to_string(id) + ".pgm";
      std::string bytes = "P5\n8 8\n255\n";
      for (std::uint64_t i = 0; i < 64; ++i)
        bytes += static_cast<char>(id * 11 + i);
      if (std::find(bad_ids.begin(), bad_ids.end(), id) != bad_ids.end())
        bytes = "not a picture";
      put_file(folder / name, bytes);
      rows += name + "," + (id % 2 == 0 ? "even" : "odd") + "\n";
    }
    put_file(folder / "list.csv", rows);
  }

  scratch_folder folder;
};

loop_options with_bad_samples(std::size_t num_augmenters = 1, std::size_t num_readers = 1) {
  static const pictures set;
  return {.num_augmenters = num_augmenters,
          .pictures = set.folder.path(),
          .num_readers = num_readers,
          .replace_bad = true,
          .mix = {.mixup_p = 0.4, .cutmix_p = 0.4}};
}

/// The file of sample 17 is there when the data set is opened, and gone when it is read.
struct bad_loop : data_loop {
  explicit bad_loop(const loop_options& wanted) : data_loop(with_file(wanted)) {
    std::filesystem::remove(options.pictures + "/17.pgm");
  }
  static const loop_options& with_file(const loop_options& wanted) {
    put_file(wanted.pictures + "/17.pgm", "not a picture");
    return wanted;
  }
};

const batches& undisturbed() {
  static const auto result = [] {
    bad_loop loop(with_bad_samples());
    loop.open_flow();
    loop.actors.run();
    loop.home->close();
    return *loop.seen;
  }();
  return result;
}

void end_and_count(data_loop& loop, std::uint64_t seed) {
  loop.end(seed);
  CHECK(loop.home->minted() == data_loop::num_buffers);
  CHECK(loop.home->retired() == data_loop::num_buffers);
}

struct kill_plan {
  std::function<caf::actor(data_loop&)> victim;
  std::function<void(data_loop&)> afterwards = [](data_loop&) {};
  bool all_arrives = false; ///< Else: what arrives is a beginning of it.
};

/// Kills at the victim's first message, at its second and so on, until a run ends before that.
void kill_at_every_message(std::uint64_t seed, const kill_plan& plan) {
  for (std::size_t k = 1;; ++k) {
    CAPTURE(seed);
    CAPTURE(k);
    bad_loop loop(with_bad_samples(3, 2));
    loop.open_flow();
    const bool killed = loop.run(seed, plan.victim(loop), k, [&] { plan.afterwards(loop); });
    const auto& seen = *loop.seen;
    const auto& all = undisturbed();
    CHECK((plan.all_arrives ? seen.size() == all.size() : seen.size() <= all.size()));
    CHECK(std::equal(seen.begin(), seen.end(), all.begin()));
    end_and_count(loop, seed);
    if (!killed) {
      CHECK(k > 2);
      return;
    }
  }
}

} // namespace

TEST_SUITE_BEGIN("company");

TEST_CASE("with bad samples replaced, every epoch trains each good sample once and names each bad one once") {
  const auto& seen = undisturbed();
  REQUIRE(seen.size() == data_loop::num_epochs * data_loop::batches_per_epoch);
  for (std::uint64_t epoch = 0; epoch < data_loop::num_epochs; ++epoch) {
    ids all, bad;
    for (std::uint64_t i = 0; i < data_loop::batches_per_epoch; ++i) {
      const auto& batch = seen[epoch * data_loop::batches_per_epoch + i];
      all.insert(all.end(), batch.sample_ids.begin(), batch.sample_ids.end());
      all.insert(all.end(), batch.bad.begin(), batch.bad.end());
      bad.insert(bad.end(), batch.bad.begin(), batch.bad.end());
    }
    std::sort(all.begin(), all.end());
    std::sort(bad.begin(), bad.end());
    ids every(data_loop::num_samples);
    std::iota(every.begin(), every.end(), 0);
    CHECK(all == every);
    CHECK(bad == bad_ids);
  }
  CHECK(std::any_of(seen.begin(), seen.end(), [](auto& x) { return x.own_share < 1; }));
}

TEST_CASE("the same batches arrive, whatever the number of augmenters and readers and the order of events") {
  for (std::size_t width : {1u, 2u, 5u})
    for (std::uint64_t seed = 0; seed < num_orders; ++seed) {
      CAPTURE(width);
      CAPTURE(seed);
      bad_loop loop(with_bad_samples(width, 1 + seed % 3));
      loop.open_flow();
      loop.run(seed);
      CHECK(*loop.seen == undisturbed());
      end_and_count(loop, seed);
    }
}

TEST_CASE("a loop that begins behind any batch replaces what the whole one replaces from there on") {
  const auto& all = undisturbed();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    auto options = with_bad_samples(2, 2);
    options.first = all[i].next;
    bad_loop loop(options);
    loop.open_flow();
    loop.run(i);
    CHECK(*loop.seen == batches(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()));
    end_and_count(loop, i);
  }
}

TEST_CASE("an augmenter killed at any of its messages and replaced changes no replacement and loses no buffer") {
  const kill_plan plan{
    .victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.augmenters[0]); },
    .afterwards = [](data_loop& loop) { loop.augmenters.push_back(loop.spawn_augmenter()); },
    .all_arrives = true,
  };
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    kill_at_every_message(seed, plan);
}

TEST_CASE("a reader killed at any of its messages and replaced changes no byte and loses no buffer") {
  const kill_plan plan{
    .victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.readers[0]); },
    .afterwards = [](data_loop& loop) { loop.readers.push_back(loop.spawn_reader()); },
    .all_arrives = true,
  };
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    kill_at_every_message(seed, plan);
}

TEST_CASE("a collator, a loader or a consumer killed while slots wait for replacements loses no buffer") {
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed) {
    kill_at_every_message(seed, {[](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.collator); }});
    kill_at_every_message(seed, {[](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.loader); }});
    kill_at_every_message(seed, {[](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.consumer); }});
  }
}

TEST_SUITE_END();
