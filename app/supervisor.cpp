#include "app/supervisor.hpp"

#include "actors/glue/guard.hpp"
#include "actors/glue/thread_identity.hpp"
#include "app/supervisor_state.hpp"

#include <array>

namespace troupe {

namespace {

constexpr std::size_t max_restarts = 3;
constexpr std::chrono::seconds restart_period{60};

} // namespace

const char* to_string(run_phase phase) noexcept {
  constexpr std::array names = {"opening", "building", "training", "stopping", "validating",
                                "saving",  "logging",  "leaving",  "tracing",  "over"};
  return names[static_cast<std::size_t>(phase)];
}

supervisor_state::supervisor_state(supervisor_pointer self, supervisor_setup setup)
  : self_(self), job_(std::move(setup.job)), promise_(std::move(setup.outcome)),
    company_(self->system(), *job_, supervisor_actor{self}), restarts_(max_restarts, restart_period),
    watch_(job_->config.pipeline.stall_timeout) {
  if (const auto& from = job_->resume_from) {
    outcome_.trained.epochs = from->tag.epoch;
    outcome_.trained.steps = from->tag.step;
    outcome_.trained.batches = from->batches_trained;
    outcome_.trained.samples_trained = from->samples_trained;
    outcome_.trained.samples_skipped = from->samples_skipped;
  }
}

supervisor_actor::behavior_type supervisor(supervisor_pointer self, supervisor_setup setup) {
  name_thread("supervisor");
  trace_name(self, "supervisor");
  report_exceptions(self, "supervisor");
  auto state = std::make_shared<supervisor_state>(self, std::move(setup));
  self->state.impl = state;
  self->set_down_handler([self](caf::down_msg& down) { self->state.impl->child_down(down); });
  state->start();
  return {
    [self](const signal_received& signal) { self->state.impl->signalled(signal.number); },
    [self](const trainer_ready& ready) { self->state.impl->trainer_built(ready); },
    [self](const validator_ready& ready) { self->state.impl->validator_built(ready); },
    [self](const buffers_minted& fact) { self->state.impl->minted(fact); },
    [self](const snapshot_judged& fact) { self->state.impl->judged(fact); },
    [self](const bad_sample& sample) { self->state.impl->note_bad_sample(sample); },
    [self](const plugin_failed& fact) { self->state.impl->note_plugin_failure(fact); },
    [self](const end_wanted& wish) { self->state.impl->end_was_wanted(wish); },
    [self](const training_ended& fact) { self->state.impl->ended(fact); },
    [self](const saver_finished& fact) { self->state.impl->saved(fact); },
    [self](const logger_finished& fact) { self->state.impl->logged(fact); },
    [self](internal_atom) { self->state.impl->tick(); },
  };
}

} // namespace troupe
