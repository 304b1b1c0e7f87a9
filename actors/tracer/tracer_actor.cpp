#include "actors/tracer/tracer_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"

#include <caf/actor_clock.hpp>
#include <caf/actor_system.hpp>

#include <algorithm>
#include <chrono>

namespace troupe {

namespace {

using namespace std::chrono_literals;
using namespace trace_verbs;

/// Below everybody else's: it wakes often, and must not take a core from a step.
constexpr int tracer_niceness = 10;
constexpr auto drain_interval = 100ms;
constexpr auto tally_interval = 5s;

trace_counts finish(tracer_state& state) {
  const auto end = state.drain->finish(trace_now_ns());
  return {end.recorded, end.dropped, end.io_errors, end.cut, state.drain->problem()};
}

} // namespace

expected<std::unique_ptr<trace_recorder>> start_recorder(const tracer_config& config) {
  if (config.mode == trace_mode::off)
    return std::unique_ptr<trace_recorder>{};
  return trace_recorder::start(
    {.folder = config.folder,
     .policy = config.mode == trace_mode::full ? ring_policy::keep_all : ring_policy::keep_newest,
     .num_rings = std::clamp<std::size_t>(config.num_threads, 1, 1024)});
}

tracer_actor::behavior_type tracer(tracer_actor::stateful_pointer<tracer_state> self, tracer_config config,
                                   trace_recorder* recorder) {
  name_thread(tracer_state::name);
  lower_priority(tracer_niceness);
  report_exceptions(self, tracer_state::name);
  self->state.drain = std::make_unique<trace_drain>(*recorder, config.folder, config.max_bytes);
  if (config.mode == trace_mode::full)
    self->delayed_send(self, drain_interval, drain_atom{});
  self->delayed_send(self, tally_interval, tally_atom{});
  return {
    [self](finish_atom) {
      self->quit();
      return finish(self->state);
    },
    [self](const flight_wanted& order) {
      auto written = self->state.drain->dump(trace_now_ns(), order.reason);
      return written ? flight_written{*written, {}} : flight_written{{}, written.error()};
    },
    [self](drain_atom) {
      self->state.drain->drain();
      self->delayed_send(self, drain_interval, drain_atom{});
    },
    [self](tally_atom) {
      self->state.drain->tally(trace_now_ns());
      self->delayed_send(self, tally_interval, tally_atom{});
    },
  };
}

} // namespace troupe
