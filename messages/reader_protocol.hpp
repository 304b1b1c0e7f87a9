/// READER reads chunks off the disk, so that the loader never waits for one.
///   reader -- next --> loader            it is idle
///   loader -- chunk_wanted --> reader
///   reader -- chunk_read, next --> loader
/// Owns nothing. Several work side by side: what a slow disk or a network file system takes long for, they wait for.
#pragma once

#include "messages/type_ids.hpp"

#include <caf/replies_to.hpp>
#include <caf/typed_actor.hpp>

namespace troupe {

using reader_actor = caf::typed_actor<
  // Reads the chunk.
  caf::reacts_to<chunk_wanted>,
  // Reads samples that another actor has asked the loader for, and answers that one.
  caf::replies_to<samples_to_read>::with<samples_found>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
