/// What a plugin offers must be named and described so that a config can use it.
#pragma once

#include "actors/plugin/plugin.hpp"
#include "actors/support/expected.hpp"

#include <string>

namespace troupe {

/// Looks at every name, parameter and factory against what is built in and what other plugins have brought. Errors:
/// bad_config, with all that is wrong in one line; `who` begins it.
[[nodiscard]] expected<void> check_offer(const plugin& offer, const std::string& who);

} // namespace troupe
