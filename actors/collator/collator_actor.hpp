/// The collator's actor.
#pragma once

#include "actors/collator/assembly.hpp"
#include "actors/collator/batch_mix.hpp"
#include "actors/collator/batch_steps.hpp"
#include "actors/glue/traced.hpp"
#include "messages/collator_protocol.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace troupe {

/// What one collator needs to know.
struct collator_setup {
  std::string name = "collator";
  std::uint64_t first_batch = 0; ///< Id of the first batch to let out.
  data_position first;           ///< The place of that batch.
  bool replace_bad = false;      ///< Else the slots of bad samples are closed up.
  batch_mix_config mix;
  std::vector<component_use> batch_steps; ///< Of plugins; after the mixing. Names that `batch_steps::make` takes.
  std::uint64_t seed = 1;                 ///< Of the mixing, and of the steps.
  batch_sink consumer;
  replacement_source loader; ///< Unused unless `replace_bad`.
};

struct collator_state {
  static inline const char* name = "collator";
  collator_setup setup;
  assembly batches;
  batch_steps steps;
  std::map<std::uint64_t, std::vector<std::uint64_t>> parents; ///< For the trace: batch -> its slices' messages.
  std::uint64_t batches_done = 0;
};

collator_actor::behavior_type collator(traced_pointer<collator_actor, collator_state> self, collator_setup setup);

} // namespace troupe
