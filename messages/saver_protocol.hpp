/// SAVER makes checkpoints durable, keeps the best and the newest, deletes the old.
///   trainer   -- snapshot --> saver
///   validator -- snapshot --> saver                those that it will not judge any more: they are judged on resume
///   validator -- validation_report --> saver       decides about "best"
///   saver     -- checkpoint_saved | checkpoint_failed --> logger
///   saver     -- saver_finished --> supervisor     when told to finish
/// Owns the checkpoint folder. A failure is reported and counted; earlier checkpoints stay as they are.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

using saver_actor = caf::typed_actor<
  // Writes the snapshot as a checkpoint, unless there is one of that version.
  caf::reacts_to<snapshot_ptr>,
  // Publishes the judged snapshot as the best, if it is.
  caf::reacts_to<validation_report>,
  // Writes a batch that was refused beside the checkpoints.
  caf::reacts_to<batch_rejected>,
  // Writes what is left and tells the supervisor.
  caf::reacts_to<finish_atom>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>,
  // To itself: writes the snapshot that waits.
  caf::reacts_to<internal_atom>>;

} // namespace troupe
