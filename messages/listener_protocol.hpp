/// LISTENER hears how training and validation go. It may write, count, ask for the end of the run (end_wanted), or say
/// how samples are to be drawn.
///   trainer   -- step_report --> listener           after each step, in order
///   trainer   -- weigh, epoch --> listener          after an epoch's last step; of those that have declared to weigh
///   trainer   -- keep --> listener                  at each checkpoint, after that step's report
///   validator -- validation_report --> listener
/// Whatever it answers must follow from the reports so far and from what it kept: then a resumed run is exact.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

using listener_actor = caf::typed_actor<
  // A step is done.
  caf::reacts_to<step_report_ptr>,
  // A snapshot has been judged.
  caf::reacts_to<validation_report>,
  // Says how samples are to be drawn from epoch + 2 on (epochs count from 0), now that `epoch` is over.
  caf::replies_to<weigh_atom, std::uint64_t>::with<sampling_answer>,
  // Gives what has to be remembered for a resumed run to go on exactly.
  caf::replies_to<keep_atom>::with<kept_state>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

/// A listener on stage.
struct listener_entry {
  std::string name; ///< In the config: unique.
  listener_actor handle;
  bool weighs = false;
};

/// Who listens from now on. Sent by the supervisor before training begins, and again when one was restarted.
struct listeners_now {
  std::vector<listener_entry> listeners;
};

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::listeners_now)
