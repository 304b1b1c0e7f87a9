/// Where a user's caches lie.
#pragma once

#include <string>

namespace troupe {

/// Returns $XDG_CACHE_HOME/troupe/`name`, or the same in ~/.cache; empty if neither variable is set.
[[nodiscard]] std::string user_cache_folder(const std::string& name);

} // namespace troupe
