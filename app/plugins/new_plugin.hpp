/// Writes the project of a new plugin: something that builds, is tested and trains, to be changed by its author.
#pragma once

#include "actors/support/expected.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Makes the folder `folder`/`name` (and what is missing above it) with the project of a plugin whose one transform is called
/// `name`, and returns the paths of the files written, sorted. `troupe_dir`: see `find_troupe_dir`; the project looks for
/// Troupe there, so that configuring it takes no argument.
/// Errors: bad_config for a name that cannot be used or a folder that is there already; not_found if `troupe_dir` holds no
/// template; io_error. After any failure nothing is left behind.
[[nodiscard]] expected<std::vector<std::string>> write_new_plugin(const std::string& name, const std::string& folder,
                                                                  const std::string& troupe_dir);

/// Returns the folder of CMake's package Troupe that belongs to a binary in `program_folder`: that folder itself where
/// Troupe was built, ../lib/cmake/Troupe where it is installed. not_found if it is in neither.
[[nodiscard]] expected<std::string> find_troupe_dir(const std::string& program_folder);

} // namespace troupe
