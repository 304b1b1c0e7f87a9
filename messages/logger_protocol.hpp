/// LOGGER writes what happens to the sinks: console, CSV files, TensorBoard.
///   everybody -- facts --> logger
///   logger    -- logger_finished --> supervisor     when told to close
/// Owns the files. A sink that fails is retried, counted and reported at the end; it never stops anybody.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

using logger_actor = caf::typed_actor<
  // A step is done.
  caf::reacts_to<step_completed>,
  // A snapshot has been judged.
  caf::reacts_to<validation_report>,
  // A checkpoint is durable.
  caf::reacts_to<checkpoint_saved>,
  // A checkpoint could not be written.
  caf::reacts_to<checkpoint_failed>,
  // A sample is bad.
  caf::reacts_to<bad_sample_found>,
  // A line for the user.
  caf::reacts_to<notice>,
  // Flushes and closes all sinks and tells the supervisor.
  caf::reacts_to<close_log>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
