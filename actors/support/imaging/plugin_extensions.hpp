/// What files of plugins' formats are called.
#pragma once

#include "actors/support/imaging/image_format.hpp"

#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

/// Extensions in lower case, without a dot, and their formats: what the registry's decoders, made with their defaults, say
/// at the first call. One that throws has none.
[[nodiscard]] const std::vector<std::pair<std::string, image_format>>& plugin_extensions();

/// Name of the decoder. @pre is_of_plugin(format)
[[nodiscard]] std::string_view plugin_format_name(image_format format) noexcept;

} // namespace troupe
