/// RELAY stands in front of a plugin's stage, so that those before it need not know how many there are of it, or that one
/// has been restarted.
///   augmenter, or the stage before -- slice_filled --> relay
///   relay -- slice_filled --> one of the stage's actors
///   supervisor -- stages_now --> relay
/// Owns the slices that wait for their turn, or for an actor that is being restarted.
#pragma once

#include "messages/stage_protocol.hpp"

#include <vector>

namespace troupe {

/// The actors of the stage, from now on.
struct stages_now {
  std::vector<stage_actor> actors;
};

} // namespace troupe

CAF_ALLOW_UNSAFE_MESSAGE_TYPE(troupe::stages_now)

namespace troupe {

using relay_actor = caf::typed_actor<
  // Passes the slice on, at once or when it is its turn.
  caf::reacts_to<slice_filled>,
  // Learns who does the work.
  caf::reacts_to<stages_now>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
