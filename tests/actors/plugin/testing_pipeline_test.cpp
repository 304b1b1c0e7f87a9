#include "actors/plugin/testing.hpp"

#include <numeric>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

struct counting_state {
  static inline const char* name = "counting";
  float calls = 0;
};

/// Adds to the numbers how many slices it has had: what a stage without order must not do.
stage_actor::behavior_type counting(plugin_pointer<stage_actor, counting_state> self, stage_role role) {
  return {[self, role](slice_filled& filled) {
            auto slice = filled.slice.take();
            slot_floats floats(*slice, 0);
            floats.values()[0] += self->state.calls++;
            floats.commit();
            self->send(role.next, slice_filled{lease<batch_slice>(std::move(*slice)), {}, filled.batch});
          },
          [](status_atom) { return actor_status{}; }};
}

plugin counting_plugin(instances how_many) {
  plugin lab("lab");
  lab.stage<counting_state>("counting", "", {.how_many = how_many}, {}, counting);
  return lab;
}

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE("samples come out by batch and slot, whatever the sizes of batches and chunks are, and in the given order") {
  auto bench = bench_of(noise_samples(11, {1, 2, 2}));
  const auto lab = counting_plugin(instances::ordered);
  bench.order.resize(11);
  std::iota(bench.order.rbegin(), bench.order.rend(), std::uint64_t{0});
  for (const std::uint32_t batch : {1, 4, 11, 20})
    for (const std::uint32_t chunk : {1, 3, 4}) {
      bench.batch_size = batch;
      bench.chunk_size = chunk;
      const auto result = bench.run(lab.actors.stages.at(0));
      REQUIRE(result.slots.size() == 11);
      for (std::uint64_t i = 0; i < 11; ++i)
        CHECK(result.slots[i].id == 10 - i);
      CHECK(result.num_lost == 0);
    }
}

TEST_CASE("a stage whose work depends on what came before is found out, unless it is declared as ordered") {
  const auto bench = bench_of(noise_samples(24, {1, 2, 2}));
  CHECK_FALSE(same_with_any_number(bench, counting_plugin(instances::stateless).actors.stages.at(0)));
  CHECK(same_with_any_number(bench, counting_plugin(instances::ordered).actors.stages.at(0)));
}

TEST_SUITE_END();
