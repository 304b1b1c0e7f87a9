/// VALIDATOR judges snapshots on its own thread while training goes on.
///   trainer   -- snapshot --> validator
///   collator (its own) -- batch_ready --> validator
///   validator -- serve_range, buffer_returned --> loader (its own)
///   validator -- validation_report --> logger, saver, listeners
///   validator -- snapshot_judged --> trainer, supervisor
///   validator -- snapshot --> saver                what is not judged yet, when told to finish early
/// Owns a replica of the model and the queue of snapshots that wait.
#pragma once

#include "messages/listener_protocol.hpp"
#include "messages/loader_protocol.hpp"

namespace troupe {

/// Whoever needs to know that a snapshot is done with.
using judgement_sink = caf::typed_actor<caf::reacts_to<snapshot_judged>>;

using validator_actor = caf::typed_actor<
  // Judges the snapshot, after those that wait already.
  caf::reacts_to<snapshot_ptr>,
  // Adds a batch to the running judgement.
  caf::reacts_to<batch_ready>,
  // Mints the buffers of its pipeline; before this no snapshot may come.
  caf::reacts_to<loader_actor>,
  // Learns who listens.
  caf::reacts_to<listeners_now>,
  // Gives up: hands the snapshots that are not judged yet to the saver.
  caf::reacts_to<finish_atom>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
