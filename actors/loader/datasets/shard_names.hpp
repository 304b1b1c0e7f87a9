/// Short forms for the names of many files.
#pragma once

#include "actors/support/expected.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Returns the names that `patterns` stand for, in order: "s-{08..11}.tar" is s-08.tar, s-09.tar, s-10.tar and s-11.tar.
/// Numbers have at least the digits that the first one has. Of several ranges in a name the last one runs fastest. Braces
/// that hold anything else are left as they are. Errors: bad_config for a range that falls, or for too many names.
[[nodiscard]] expected<std::vector<std::string>> expand_shard_names(const std::vector<std::string>& patterns);

} // namespace troupe
