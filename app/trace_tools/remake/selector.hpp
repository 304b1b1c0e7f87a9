/// How a thing of a run is named on the command line: "batch:17", "message:4711".
#pragma once

#include "actors/support/expected.hpp"

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Returns the number in `text`, which must be `what`, a colon and a decimal number; else bad_config.
[[nodiscard]] expected<std::uint64_t> number_of(std::string_view what, const std::string& text);

} // namespace troupe
