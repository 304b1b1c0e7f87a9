/// state.json: all of a snapshot that is not a tensor, and what the run wants to remember with it.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/snapshot.hpp"

#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

struct checkpoint_state {
  snapshot counters; ///< All members but the tensors.
  /// The tensors' names in the snapshot's order, which the tensor files do not keep.
  std::vector<std::string> weights;
  std::vector<std::string> optimizer_state;
  std::vector<std::string> attachments;
  std::map<std::string, std::string> notes;
};

/// Sums keep every bit, infinity and NaN included. `mismatch` if a text is not UTF-8.
expected<std::string> to_json(const snapshot& state, const std::map<std::string, std::string>& notes);

/// Reads what `to_json` wrote; `corrupt` if anything is missing or of another type. The text has no path.
expected<checkpoint_state> parse_state(std::string_view json);

} // namespace troupe
