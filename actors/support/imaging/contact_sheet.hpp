/// Draws many small pictures onto one, with a line of text under each.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/imaging/confusion_image.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// One picture of the sheet.
struct sheet_tile {
  std::string caption;            ///< Cut to the tile's width; characters outside printable ASCII are drawn as '?'.
  std::vector<unsigned char> rgb; ///< height x width x 3 bytes, row-major; empty: there is no picture, a grey field.
  friend bool operator==(const sheet_tile&, const sheet_tile&) = default;
};

/// Where the pictures stand on a sheet, in pixels.
struct sheet_grid {
  std::uint32_t columns = 0;
  std::uint32_t rows = 0;
  std::uint32_t scale = 1; ///< So many pixels on a side show one of the picture: small ones are hard to see.
  std::uint32_t cell_width = 0;
  std::uint32_t cell_height = 0;
  std::uint32_t margin = 0; ///< A picture's distance from the left and top edge of its cell.
};

/// Returns the grid for `num_tiles` pictures of that size: about as wide as high. @pre all at least 1
[[nodiscard]] sheet_grid plan_contact_sheet(std::size_t num_tiles, std::uint32_t width, std::uint32_t height) noexcept;

/// Draws the tiles, all of `width` x `height` pixels, row by row on the grid of `plan_contact_sheet`. Fails with
/// `mismatch` for a tile of another size, `unsupported` for no tile, an empty size or a sheet of more than 30,000 pixels
/// on a side. Blocks for milliseconds.
[[nodiscard]] expected<png_image> draw_contact_sheet(const std::vector<sheet_tile>& tiles, std::uint32_t width,
                                                     std::uint32_t height);

} // namespace troupe
