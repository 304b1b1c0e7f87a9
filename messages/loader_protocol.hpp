/// LOADER serves the samples of a data set, batch after batch, as long as it has free buffers.
///   trainer or validator -- serve_range, buffer_returned --> loader
///   augmenter -- next, chunk_done --> loader
///   reader    -- next, chunk_read --> loader
///   collator  -- replacement_wanted --> loader   for a bad sample
///   a plugin's actor -- samples_wanted --> loader   answered by samples_found
///   trainer   -- sampling_settled --> loader
///   loader    -- chunk_ready --> augmenter       in batch order; each chunk to whichever augmenter asked first
///   loader    -- chunk_wanted --> reader         ahead of what the augmenters ask for
///   loader    -- slice_filled --> collator       only for a sample that no augmenter survives
/// Owns the data set's index, the position, the cache and the encoded chunks that are not reported done.
#pragma once

#include "messages/augmenter_protocol.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/reader_protocol.hpp"

namespace troupe {

using loader_actor = caf::typed_actor<
  // Opens the data set (once) and says what is in it.
  caf::replies_to<describe_atom>::with<dataset_opened>,
  // Learns who gets the slices of samples that no augmenter survives. Before it serves.
  caf::reacts_to<collator_actor>,
  // Starts to serve.
  caf::reacts_to<serve_range>,
  // Takes a free buffer: credit for one batch.
  caf::reacts_to<buffer_returned>,
  // Notes that an augmenter is idle.
  caf::reacts_to<next_atom, augmenter_actor>,
  // Notes that a reader is idle.
  caf::reacts_to<next_atom, reader_actor>,
  // Keeps the chunk until an augmenter asks for one.
  caf::reacts_to<chunk_read>,
  // Forgets a chunk.
  caf::reacts_to<chunk_done>,
  // Takes back a slice that somebody died with and gives its chunk to another.
  caf::reacts_to<slice_dropped>,
  // Has a bad sample's slot filled with another sample, ahead of everything else.
  caf::reacts_to<replacement_wanted>,
  // Gives samples besides those of chunks, through a reader where there is one.
  caf::replies_to<samples_wanted>::with<samples_found>,
  // Learns how a later epoch is drawn. Where anybody changes that, no epoch is begun before the last but one is settled.
  caf::reacts_to<sampling_settled>,
  // Says what it is at.
  caf::replies_to<status_atom>::with<actor_status>>;

} // namespace troupe
