/// The reference of all keys, for `--help-config`.
#pragma once

#include <cstddef>
#include <string>

namespace troupe {

/// Returns all keys by section, each with what it accepts, its default, unit and meaning, in lines of at most `width`
/// columns (at least 40).
[[nodiscard]] std::string config_reference(std::size_t width = 100);

} // namespace troupe
