/// AUGMENTER turns encoded samples into the floats of a batch.
///   loader    -- chunk_ready --> augmenter
///   augmenter -- slice_filled --> collator, then chunk_done and next --> loader
/// Owns nothing between messages; any number of them work side by side, each on its own slices.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

using augmenter_actor = caf::typed_actor<
  // Fills the slice with the chunk's samples, decoded and transformed.
  caf::reacts_to<chunk_ready>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
