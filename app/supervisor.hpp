/// Starts, watches and stops the actors of one run.
#pragma once

#include "actors/glue/traced.hpp"
#include "app/run_job.hpp"
#include "messages/supervisor_protocol.hpp"

#include <future>
#include <memory>

namespace troupe {

struct supervisor_setup {
  std::shared_ptr<const run_job> job;
  std::shared_ptr<std::promise<run_outcome>> outcome; ///< Kept once, when everybody has left the stage.
};

class supervisor_state;

struct supervisor_holder {
  static inline const char* name = "supervisor";
  std::shared_ptr<supervisor_state> impl;
};

/// Runs detached and never blocks, so that a signal is served in every phase. Order of entrance: loaders, logger, saver,
/// trainer, validator, listeners, collators, stages and their relays, augmenters. Order of exit: the data side, validator, saver, logger, tracer.
supervisor_actor::behavior_type supervisor(traced_pointer<supervisor_actor, supervisor_holder> self,
                                           supervisor_setup setup);

} // namespace troupe
