/// The relay's actor.
#pragma once

#include "actors/glue/traced.hpp"
#include "actors/relay/slice_order.hpp"
#include "messages/relay_protocol.hpp"

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// What one relay needs to know.
struct relay_setup {
  std::string name = "relay"; ///< In the trace.
  bool in_order = false;      ///< The stage wants its slices in step order.
  std::uint64_t first_batch = 0;
  stage_actor next; ///< Who comes after the stage.
};

struct relay_state {
  static inline const char* name = "relay";
  relay_setup setup;
  std::optional<slice_order> order;
  std::vector<stage_actor> actors; ///< Those that are alive.
  std::size_t next_actor = 0;
  std::deque<slice_filled> waiting; ///< For an actor.
  std::uint64_t slices_done = 0;
};

/// Hands slices to the stage's actors in turn.
relay_actor::behavior_type relay(traced_pointer<relay_actor, relay_state> self, relay_setup setup);

} // namespace troupe
