/// What must hold between the keys of a config, beyond each key's own range. Nothing here looks at a data set.
#pragma once

#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"

#include <string>
#include <vector>

namespace troupe {

/// A rule that a config breaks.
struct violation {
  std::vector<std::string> keys; ///< The keys that the rule is about; the first is the one to change.
  std::string text;              ///< Values and what was expected.
};

/// Returns all rules between keys that `config` breaks. @pre Each value is in its own range.
[[nodiscard]] std::vector<violation> find_violations(const run_config& config);

/// Returns success if every value is in its range and all rules hold; otherwise one error with a line for each that is
/// not. For configs that were made in code; `load_config` has checked what it returns.
[[nodiscard]] expected<void> validate(const run_config& config);

/// Returns what is allowed but probably not meant, one sentence each.
[[nodiscard]] std::vector<std::string> find_oddities(const run_config& config);

} // namespace troupe
