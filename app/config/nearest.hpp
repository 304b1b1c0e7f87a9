/// Which name was probably meant.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// Returns the number of insertions, deletions, substitutions and swaps of neighbours that turn `a` into `b` (optimal
/// string alignment). Time and memory grow with the product of the lengths: names only.
[[nodiscard]] std::size_t edit_distance(std::string_view a, std::string_view b);

/// Returns how many edits a name of this length may be away from what was meant: one in three letters, at least one.
[[nodiscard]] std::size_t tolerated_edits(std::string_view name) noexcept;

/// Returns the name closest to `name` within `tolerated_edits`, the first of equals; empty: none is close.
[[nodiscard]] std::string nearest(std::string_view name, const std::vector<std::string>& names);

/// Returns "a, b, c".
[[nodiscard]] std::string joined(const std::vector<std::string>& names);

} // namespace troupe
