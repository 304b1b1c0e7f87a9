/// The augmenter's actor: fills slices with transformed samples.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/glue/traced.hpp"
#include "messages/collator_protocol.hpp"
#include "messages/loader_protocol.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

class transform_pipeline;

/// What one augmenter needs to know.
struct augmenter_setup {
  std::shared_ptr<const transform_pipeline> transforms; ///< Shared by all: immutable.
  std::uint64_t seed = 1;
  std::string name = "augmenter"; ///< In the trace and in errors.
  loader_actor loader;
  collator_actor collator;
  bool record_samples = false; ///< Each sample gets a record with the hash of its pixels.
};

struct augmenter_state {
  static inline const char* name = "augmenter";
  augmenter_setup setup;
  std::uint64_t chunks_done = 0;
};

/// Asks the loader for its first chunk at once.
augmenter_actor::behavior_type augmenter(traced_pointer<augmenter_actor, augmenter_state> self, augmenter_setup setup);

} // namespace troupe
