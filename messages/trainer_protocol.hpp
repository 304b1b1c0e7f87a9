/// TRAINER alone owns the model, the optimizer and the device's stream.
///   supervisor -- begin_training --> trainer      mints the buffers and opens the flow
///   collator   -- batch_ready --> trainer
///   trainer    -- buffer_returned --> loader      after backward()
///   trainer    -- step_completed --> logger
///   trainer    -- step_report, weigh, keep --> listeners
///   trainer    -- sampling_settled --> loader
///   trainer    -- snapshot --> saver, validator   at step boundaries
///   trainer    -- training_ended --> supervisor   once
/// Runs on one pinned thread. A stop is served between two batches: a step that is not finished is given up.
#pragma once

#include "messages/listener_protocol.hpp"
#include "messages/loader_protocol.hpp"
#include "messages/logger_protocol.hpp"
#include "messages/saver_protocol.hpp"
#include "messages/validator_protocol.hpp"

namespace troupe {

/// Whom the trainer talks to.
struct begin_training {
  loader_actor loader;
  validator_actor validator; ///< Null if nothing is validated.
};

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::begin_training)

namespace troupe {

using trainer_actor = caf::typed_actor<
  // Opens the flow.
  caf::reacts_to<begin_training>,
  // Learns who listens.
  caf::reacts_to<listeners_now>,
  // Trains on one batch.
  caf::reacts_to<batch_ready>,
  // Lets the trainer go on if it waited for the validator.
  caf::reacts_to<snapshot_judged>,
  // Ends training at the next step boundary.
  caf::reacts_to<stop_training>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
