/// COLLATOR makes whole batches of filled slices, in step order.
///   augmenter -- slice_filled --> collator
///   collator  -- batch_ready --> trainer or validator    each batch once, in order, however the slices arrive
///   collator  -- replacement_wanted --> loader           a bad sample's slot, to be filled with the epoch's last sample
/// Owns the buffers being filled, at most as many as were minted. Slots that stay bad are closed up.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

using collator_actor = caf::typed_actor<
  // Takes back a slice whose samples are in place.
  caf::reacts_to<slice_filled>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

/// Whoever has slots filled anew: the loader.
using replacement_source = caf::typed_actor<caf::reacts_to<replacement_wanted>>;

/// Whoever consumes batches.
using batch_sink = caf::typed_actor<caf::reacts_to<batch_ready>>;

} // namespace troupe
