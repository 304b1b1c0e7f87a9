/// SUPERVISOR starts, watches and stops everybody, and decides how the run ends.
///   everybody -- ready, judged, ended, finished --> supervisor
///   main      -- signal_received --> supervisor
/// Owns the table of children, the restart budget and the run's outcome.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

/// SIGINT or SIGTERM came, which end the run, or SIGQUIT, which asks what it is at.
struct signal_received {
  int number = 0;
};

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::signal_received)

namespace troupe {

using supervisor_actor = caf::typed_actor<
  // Served in every phase.
  caf::reacts_to<signal_received>,
  // The trainer's model is built: the validator may build its own.
  caf::reacts_to<trainer_ready>,
  // The replica is built: training may begin.
  caf::reacts_to<validator_ready>,
  // Buffers to be asked after at the end.
  caf::reacts_to<buffers_minted>, caf::reacts_to<snapshot_judged>,
  // A sample that could not be made counts against the budget.
  caf::reacts_to<bad_sample>,
  // A plugin's failure is counted and told; the policy decides what follows.
  caf::reacts_to<plugin_failed>,
  // A listener has seen enough.
  caf::reacts_to<end_wanted>, caf::reacts_to<training_ended>, caf::reacts_to<saver_finished>,
  caf::reacts_to<logger_finished>, caf::reacts_to<internal_atom>>;

} // namespace troupe
