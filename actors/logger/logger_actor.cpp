#include "actors/logger/logger_actor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "actors/logger/log_sinks.hpp"

#include <chrono>

namespace troupe {

namespace {

using logger_pointer = traced_pointer<logger_actor, logger_state>;

template <class Clock>
double seconds() {
  return std::chrono::duration<double>(Clock::now().time_since_epoch()).count();
}

double wall() {
  return seconds<std::chrono::system_clock>();
}

} // namespace

logger_state::logger_state() = default;
logger_state::~logger_state() = default;

logger_actor::behavior_type logger(logger_pointer self, logger_setup setup) {
  name_thread("logger");
  trace_name(self, "logger");
  report_exceptions(self, "logger");
  auto& st = self->state;
  st.supervisor = std::move(setup.supervisor);
  st.sinks =
    std::make_unique<log_sinks>(std::move(setup.config), std::move(setup.write), std::move(setup.warn), wall());
  auto add = [self](const auto& fact, auto... times) {
    ++self->state.facts_done;
    self->state.sinks->add(fact, times...);
  };
  return {
    [=](const step_completed& step) { add(step, seconds<std::chrono::steady_clock>(), wall()); },
    [=](const validation_report& report) { add(report, wall()); },
    [=](const checkpoint_saved& fact) { add(fact); },
    [=](const checkpoint_failed& fact) { add(fact); },
    [=](const bad_sample_found& fact) { add(fact); },
    [=](const notice& line) { add(line); },
    [self](const close_log& how) {
      self->send(self->state.supervisor, self->state.sinks->finish(how.run_succeeded, wall()));
    },
    [self](status_atom) {
      return actor_status{"waits for news", self->state.facts_done, true};
    },
  };
}

} // namespace troupe
