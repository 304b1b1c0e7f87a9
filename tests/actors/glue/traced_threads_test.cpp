// The tracer under CAF's real scheduler, with cooperative and detached actors on several threads.
#include "actors/glue/traced.hpp"

#include "tests/support/trace_fixture.hpp"

#include <caf/actor_system.hpp>
#include <caf/actor_system_config.hpp>
#include <caf/event_based_actor.hpp>
#include <caf/scoped_actor.hpp>
#include <caf/typed_actor.hpp>
#include <caf/typed_event_based_actor.hpp>

#include <cstdint>
#include <set>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::test;

namespace {

using go_atom = caf::atom_constant<caf::atom("go")>;
using source_actor = caf::typed_actor<caf::reacts_to<go_atom>>;
using sink_actor = caf::typed_actor<caf::reacts_to<std::uint64_t>>;

constexpr std::uint64_t num_sources = 3;
constexpr std::uint64_t num_each = 33'334;
constexpr std::uint64_t num_messages = num_sources * num_each;

struct sink_state {
  static inline const char* name = "sink";
  std::uint64_t seen = 0;
};
struct source_state {
  static inline const char* name = "source";
};

sink_actor::behavior_type sink(traced_pointer<sink_actor, sink_state> self) {
  trace_name(self, "sink");
  return {[self](std::uint64_t) {
    if (++self->state.seen == num_messages)
      self->quit();
  }};
}

source_actor::behavior_type source(traced_pointer<source_actor, source_state> self, sink_actor to, std::size_t index) {
  trace_name(self, "source", index);
  return {[self, to](go_atom) {
    for (std::uint64_t i = 0; i < num_each; ++i)
      self->send(to, i);
    self->quit();
  }};
}

void run_pipeline(ring_policy policy, memory_recorder& trace, std::vector<trace_record>& drained) {
  caf::actor_system_config config;
  config.set("scheduler.policy", caf::atom("sharing"));
  config.set("scheduler.max-threads", 2);
  caf::actor_system system{config};
  caf::scoped_actor self{system};
  const auto last = system.spawn<caf::detached>(sink);
  self->monitor(last);
  caf::anon_send(system.spawn(source, last, 0), go_atom{});
  caf::anon_send(system.spawn(source, last, 1), go_atom{});
  caf::anon_send(system.spawn<caf::detached>(source, last, 2), go_atom{});
  bool done = false;
  auto& map = trace.recorder().map();
  while (!done) {
    if (policy == ring_policy::keep_all)
      for (std::size_t i = 0; i < map.header().num_rings; ++i)
        if (map.ring_used(i))
          map.ring(i).release_until(map.ring(i).read(map.ring(i).tail(), drained));
    while (!done && self->has_next_message())
      self->receive([&](const caf::down_msg&) { done = true; });
  }
}

std::uint64_t count(const memory_recorder& trace, const stats_map& stats, const std::string& receiver,
                    const std::string& type) {
  std::uint64_t total = 0;
  for (const auto& [key, each] : stats)
    if (trace.text(key.receiver) == receiver && trace.text(key.type) == type)
      total += each.outcomes[static_cast<std::size_t>(trace_outcome::handled)];
  return total;
}

} // namespace

TEST_SUITE_BEGIN("actors/glue");

TEST_CASE("counts are exact over threads, and what is not recorded is dropped and counted") {
  for (const auto policy : {ring_policy::keep_all, ring_policy::keep_newest}) {
    CAPTURE(static_cast<int>(policy));
    memory_recorder trace{policy, 1024};
    std::vector<trace_record> drained;
    run_pipeline(policy, trace, drained);
    const auto stats = trace.recorder().map().merged_stats();
    CHECK(count(trace, stats, "sink", "u64") == num_messages);
    for (int i = 0; i < 3; ++i)
      CHECK(count(trace, stats, "source#" + std::to_string(i), "go") == 1);
    std::uint64_t messages = 0;
    for (const auto& [key, each] : stats)
      messages += each.count();
    constexpr std::uint64_t num_events = 2 * 4; // Spawn and exit of each actor.
    const auto totals = trace.recorder().totals();
    CHECK(totals.recorded + totals.dropped == messages + num_events);
    if (policy == ring_policy::keep_newest)
      CHECK(totals.dropped == 0);
    std::set<std::uint64_t> ids;
    for (const auto& record : drained)
      if (record.kind == trace_kind::message)
        REQUIRE(ids.insert(record.message).second);
  }
}

TEST_SUITE_END();
