/// What an actor of a run is, by its name in the trace.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace troupe {

struct actor_role {
  std::string role;           ///< "augmenter", "reader", "trainer", "stage", "listener" ...
  std::string part;           ///< Of a plugin's actors: what they are, "mosaic"; empty: it is the program's own.
  bool in_validation = false; ///< It serves the validator, not the trainer.
  std::optional<int> index;   ///< Of actors that there are several of.
  friend bool operator==(const actor_role&, const actor_role&) = default;
};

/// "validation augmenter#2" is an augmenter of the validation pipeline, "augmenter mosaic#1" a plugin's; "relay smear"
/// stands before the stage of that name. Names of other forms are their own role.
[[nodiscard]] actor_role role_of(std::string_view actor_name);

} // namespace troupe
