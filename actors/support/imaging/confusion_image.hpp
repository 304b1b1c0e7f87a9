/// Draws a confusion matrix for people.
#pragma once

#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// A picture as the bytes of a PNG file.
struct png_image {
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::string bytes;
};

inline constexpr std::size_t max_confusion_classes = 2000;

/// The matrix as an RGB picture: row = label, column = prediction; the cell's colour says which share of the row's
/// samples it has. Class names stand where there is room for them, else class numbers; counts where all of them fit.
/// `counts`: [classes x classes], row-major. Characters outside printable ASCII are drawn as '?'.
/// Fails with `mismatch` where the sizes do not fit, `unsupported` for no class or too many. Blocks for milliseconds.
[[nodiscard]] expected<png_image> draw_confusion_matrix(std::span<const std::uint64_t> counts,
                                                        const std::vector<std::string>& classes);

} // namespace troupe
