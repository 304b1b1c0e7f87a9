#include "actors/relay/relay_actor.hpp"

#include "tests/support/stub_pipeline.hpp"

#include <cstdint>
#include <memory>
#include <vector>

#include "tests/support/deterministic_system.hpp"

using namespace troupe;
using namespace troupe::test;

TEST_SUITE_BEGIN("actors/relay");

namespace {

struct stage_memory {
  std::vector<std::uint64_t> batches;
  std::vector<slice_filled> kept;
};

/// A relay, and stages that keep what they get.
struct relay_bench {
  deterministic_system actors;
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});

  std::pair<stage_actor, std::shared_ptr<stage_memory>> stage() {
    auto memory = std::make_shared<stage_memory>();
    auto handle = actors.spawn([memory]() -> stage_actor::behavior_type {
      return {[memory](slice_filled& x) {
                memory->batches.push_back(x.batch);
                memory->kept.push_back(std::move(x));
              },
              [](status_atom) { return actor_status{}; }};
    });
    return {handle, memory};
  }

  slice_filled slice(std::uint64_t batch) {
    const batch_layout layout{.capacity = 1, .channels = 1, .height = 1, .width = 1};
    std::shared_ptr<std::byte> pixels(new std::byte[layout.bytes_per_sample()], std::default_delete<std::byte[]>());
    batch_ref ref;
    ref.id = batch;
    ref.num_samples = 1;
    ref.first_position = batch;
    auto slices = batch_buffer(home, layout, std::move(pixels)).split(ref, 1);
    return {lease<batch_slice>(std::move(slices.front())), {}, batch};
  }

  template <class Handle>
  void kill(const Handle& who) {
    caf::anon_send<caf::message_priority::high>(caf::actor_cast<caf::actor>(who),
                                                caf::exit_msg{who.address(), caf::exit_reason::kill});
    actors.run();
  }
};

using batches = std::vector<std::uint64_t>;

} // namespace

TEST_CASE_FIXTURE(relay_bench, "slices go to the actors of the stage in turn") {
  auto [first, first_memory] = stage();
  auto [second, second_memory] = stage();
  auto relay = actors.spawn(troupe::relay, relay_setup{});
  caf::anon_send(relay, stages_now{{first, second}});
  for (std::uint64_t i = 0; i < 4; ++i)
    caf::anon_send(relay, slice(i));
  actors.run();
  CHECK(first_memory->batches == batches{0, 2});
  CHECK(second_memory->batches == batches{1, 3});
}

TEST_CASE_FIXTURE(relay_bench, "an ordered stage gets its slices in step order") {
  auto [only, memory] = stage();
  auto relay = actors.spawn(troupe::relay, relay_setup{.name = "relay", .in_order = true, .first_batch = 3});
  caf::anon_send(relay, stages_now{{only}});
  for (const std::uint64_t i : {5, 4, 3, 6})
    caf::anon_send(relay, slice(i));
  actors.run();
  CHECK(memory->batches == batches{3, 4, 5, 6});
}

TEST_CASE_FIXTURE(relay_bench, "what comes while the stage is restarted waits for its successor") {
  auto [first, first_memory] = stage();
  auto relay = actors.spawn(troupe::relay, relay_setup{});
  caf::anon_send(relay, stages_now{{first}});
  caf::anon_send(relay, slice(0));
  actors.run();
  kill(first);
  caf::anon_send(relay, slice(1));
  caf::anon_send(relay, slice(2));
  actors.run();
  CHECK(first_memory->batches == batches{0});
  auto [second, second_memory] = stage();
  caf::anon_send(relay, stages_now{{second}});
  actors.run();
  CHECK(second_memory->batches == batches{1, 2});
}

TEST_CASE_FIXTURE(relay_bench, "what is out of turn, and what has no good sample, passes the stage by") {
  auto [only, memory] = stage();
  auto [after, after_memory] = stage();
  auto relay =
    actors.spawn(troupe::relay, relay_setup{.name = "relay", .in_order = true, .first_batch = 3, .next = after});
  caf::anon_send(relay, stages_now{{only}});
  auto hopeless = slice(4);
  hopeless.bad.push_back({.id = 4, .slot = 0});
  caf::anon_send(relay, slice(5));
  caf::anon_send(relay, std::move(hopeless));
  caf::anon_send(relay, slice(3));
  caf::anon_send(relay, slice(3));
  actors.run();
  CHECK(memory->batches == batches{3, 5});
  CHECK(after_memory->batches == batches{4, 3});
}

TEST_CASE_FIXTURE(relay_bench, "slices that a relay still holds when it ends go home") {
  std::uint64_t came_home = 0;
  home = std::make_shared<buffer_home>([&](batch_slice) { ++came_home; }, [](batch_buffer) {});
  auto relay = actors.spawn(troupe::relay, relay_setup{.name = "relay", .in_order = true});
  caf::anon_send(relay, slice(1));
  caf::anon_send(relay, slice(2));
  actors.run();
  CHECK(came_home == 0);
  kill(relay);
  CHECK(came_home == 2);
}

TEST_SUITE_END();
