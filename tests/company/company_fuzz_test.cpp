#include "tests/company/data_loop.hpp"

#include <algorithm>
#include <cstdint>
#include <functional>
#include <numeric>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

using batches = std::vector<batch_copy>;

constexpr std::uint64_t num_orders = 200;
constexpr std::uint64_t num_kill_orders = 20;

/// What everybody should see: one augmenter, messages in the order of their arrival.
const batches& undisturbed() {
  static const auto result = [] {
    data_loop loop({});
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

bool is_prefix(const batches& some, const batches& all) {
  return some.size() <= all.size() && std::equal(some.begin(), some.end(), all.begin());
}

/// Whom to kill, what happens then, and which batches may have arrived in the end.
struct kill_plan {
  std::function<caf::actor(data_loop&)> victim;
  std::function<void(data_loop&)> afterwards = [](data_loop&) {};
  std::function<bool(const batches&)> right = [](const batches& seen) { return is_prefix(seen, undisturbed()); };
};

/// Kills at the victim's first message, at its second and so on, until a run ends before that; returns the number of
/// kills. Each time all buffers must be accounted for.
std::size_t kill_at_every_message(std::uint64_t seed, const kill_plan& plan) {
  for (std::size_t k = 1;; ++k) {
    CAPTURE(seed);
    CAPTURE(k);
    data_loop loop({.num_augmenters = 3});
    loop.open_flow();
    const bool killed = loop.run(seed, plan.victim(loop), k, [&] { plan.afterwards(loop); });
    CHECK(plan.right(*loop.seen));
    end_and_count(loop, seed);
    if (!killed)
      return k - 1;
  }
}

} // namespace

TEST_SUITE_BEGIN("company");

TEST_CASE("two epochs arrive whole: every sample once in each, the batches in step order") {
  const auto& seen = undisturbed();
  REQUIRE(seen.size() == data_loop::num_epochs * data_loop::batches_per_epoch);
  for (std::uint64_t epoch = 0; epoch < data_loop::num_epochs; ++epoch) {
    std::vector<std::uint64_t> ids;
    for (std::uint64_t i = 0; i < data_loop::batches_per_epoch; ++i) {
      const auto& batch = seen[epoch * data_loop::batches_per_epoch + i];
      CHECK(batch.id == epoch * data_loop::batches_per_epoch + i);
      CHECK(batch.bad.empty());
      ids.insert(ids.end(), batch.sample_ids.begin(), batch.sample_ids.end());
    }
    std::sort(ids.begin(), ids.end());
    std::vector<std::uint64_t> all(data_loop::num_samples);
    std::iota(all.begin(), all.end(), 0);
    CHECK(ids == all);
  }
  CHECK(seen[0].sample_ids != seen[data_loop::batches_per_epoch].sample_ids);
}

TEST_CASE("the same batches arrive in the same order, whatever the number of augmenters and the order of events") {
  for (std::size_t width : {1u, 2u, 8u})
    for (std::uint64_t seed = 0; seed < num_orders; ++seed) {
      CAPTURE(width);
      CAPTURE(seed);
      data_loop loop({.num_augmenters = width});
      loop.open_flow();
      loop.run(seed);
      CHECK(*loop.seen == undisturbed());
      end_and_count(loop, seed);
    }
}

TEST_CASE("batches of the next epoch are made while the last of this one is still out") {
  data_loop loop({.num_augmenters = 0, .first = {0, data_loop::batches_per_epoch - 1}});
  const auto sink = stub_sink(loop.actors);
  loop.collator = loop.spawn_collator(sink.handle);
  loop.augmenters = {loop.spawn_augmenter(), loop.spawn_augmenter()};
  loop.open_flow();
  loop.actors.run();
  loop.home->close();
  REQUIRE(sink->batches.size() == data_loop::num_buffers);
  CHECK(sink->batches[0].last_in_epoch);
  CHECK(sink->batches[1].epoch == 1);
  CHECK(sink->batches[2].epoch == 1);
}

TEST_CASE("a loop that begins in the middle gives what the whole one gives from there on") {
  const auto& all = undisturbed();
  for (std::size_t i = 0; i < all.size(); ++i) {
    CAPTURE(i);
    data_loop loop({.num_augmenters = 2, .first = all[i].next});
    loop.open_flow();
    loop.run(i);
    CHECK(*loop.seen == batches(all.begin() + static_cast<std::ptrdiff_t>(i) + 1, all.end()));
    end_and_count(loop, i);
  }
}

TEST_CASE("augmenters that die in the middle of their chunks change no byte and lose no buffer") {
  for (std::uint64_t seed = 0; seed < num_orders; ++seed) {
    CAPTURE(seed);
    data_loop loop({.num_augmenters = 2});
    for (int i = 0; i < 3; ++i)
      loop.augmenters.push_back(loop.spawn_clumsy_augmenter());
    loop.open_flow();
    loop.run(seed);
    CHECK(*loop.seen == undisturbed());
    end_and_count(loop, seed);
  }
}

TEST_CASE("an augmenter killed at any of its messages and replaced changes no byte and loses no buffer") {
  const kill_plan plan{
    .victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.augmenters[0]); },
    .afterwards = [](data_loop& loop) { loop.augmenters.push_back(loop.spawn_augmenter()); },
    .right = [](const batches& seen) { return seen == undisturbed(); },
  };
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    CHECK(kill_at_every_message(seed, plan) > 1);
}

TEST_CASE("a collator killed at any of its messages loses no buffer") {
  const kill_plan plan{.victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.collator); }};
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    CHECK(kill_at_every_message(seed, plan) > data_loop::batches_per_epoch);
}

TEST_CASE("a loader killed at any of its messages loses no buffer") {
  const kill_plan plan{.victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.loader); }};
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    CHECK(kill_at_every_message(seed, plan) > data_loop::batches_per_epoch);
}

TEST_CASE("a consumer killed at any of its messages loses no buffer") {
  const kill_plan plan{.victim = [](data_loop& loop) { return caf::actor_cast<caf::actor>(loop.consumer); }};
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    CHECK(kill_at_every_message(seed, plan) >= data_loop::batches_per_epoch);
}

TEST_CASE("a consumer that dies with a buffer in its hands loses no buffer") {
  for (std::uint64_t seed = 0; seed < num_kill_orders; ++seed)
    for (std::size_t k = 1; k <= data_loop::batches_per_epoch * data_loop::num_epochs; ++k) {
      CAPTURE(seed);
      CAPTURE(k);
      data_loop loop({.num_augmenters = 3, .consumer_throws_at = k});
      loop.open_flow();
      loop.run(seed);
      CHECK(loop.seen->size() == k);
      CHECK(is_prefix(*loop.seen, undisturbed()));
      end_and_count(loop, seed);
    }
}

TEST_SUITE_END();
