#include "actors/support/imaging/contact_sheet.hpp"

#include "actors/support/imaging/caption.hpp"

#include <algorithm>
#include <cmath>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>

namespace troupe {

namespace {

constexpr std::uint32_t margin = 4;
constexpr std::uint32_t caption_height = 16;
constexpr std::uint32_t wanted_width = 112; ///< Of a picture as it is shown, if it is smaller.
constexpr std::uint64_t max_sheet_side = 30'000;

constexpr double font_scale = 0.36;
const cv::Scalar white(255, 255, 255), ink(51, 43, 38), no_picture(200, 200, 200);

void draw_tile(cv::Mat& sheet, const sheet_tile& tile, const cv::Rect& place, cv::Size size) {
  if (tile.rgb.empty()) {
    cv::rectangle(sheet, place, no_picture, cv::FILLED);
  } else {
    const cv::Mat rgb(size, CV_8UC3, const_cast<unsigned char*>(tile.rgb.data()));
    cv::Mat bgr, shown;
    cv::cvtColor(rgb, bgr, cv::COLOR_RGB2BGR);
    cv::resize(bgr, shown, place.size(), 0, 0, cv::INTER_NEAREST);
    shown.copyTo(sheet(place));
  }
  const cv::Point base(place.x, place.y + place.height + static_cast<int>(caption_height) - 5);
  cv::putText(sheet, fitting_caption(tile.caption, place.width, font_scale), base, caption_font, font_scale, ink, 1,
              cv::LINE_AA);
}

failure wrong_size(const sheet_tile& tile, std::uint32_t width, std::uint32_t height) {
  return {ec::mismatch, "contact sheet: tile \"" + tile.caption + "\" has " + std::to_string(tile.rgb.size())
                          + " bytes, expected 3 x " + std::to_string(width) + " x " + std::to_string(height)};
}

} // namespace

sheet_grid plan_contact_sheet(std::size_t num_tiles, std::uint32_t width, std::uint32_t height) noexcept {
  sheet_grid out;
  out.scale = std::max(wanted_width / std::max(width, height), 1u);
  out.margin = margin;
  out.cell_width = out.scale * width + 2 * margin;
  out.cell_height = out.scale * height + 2 * margin + caption_height;
  const auto count = static_cast<double>(num_tiles);
  out.columns = static_cast<std::uint32_t>(std::ceil(std::sqrt(count * height / width))); // 8 x 8 for 64 squares.
  out.columns = std::clamp(out.columns, 1u, static_cast<std::uint32_t>(num_tiles));
  out.rows = static_cast<std::uint32_t>((num_tiles + out.columns - 1) / out.columns);
  return out;
}

expected<png_image> draw_contact_sheet(const std::vector<sheet_tile>& tiles, std::uint32_t width,
                                       std::uint32_t height) {
  if (tiles.empty() || width == 0 || height == 0 || std::max(width, height) > max_sheet_side)
    return failure{ec::unsupported, "contact sheet: " + std::to_string(tiles.size()) + " tiles of "
                                      + std::to_string(width) + " x " + std::to_string(height)
                                      + " pixels, expected at least one, of 1 to " + std::to_string(max_sheet_side)
                                      + " pixels on a side"};
  for (const auto& tile : tiles)
    if (!tile.rgb.empty() && tile.rgb.size() != std::size_t{3} * width * height)
      return wrong_size(tile, width, height);
  const auto grid = plan_contact_sheet(tiles.size(), width, height);
  const auto sheet_width = std::uint64_t{grid.columns} * grid.cell_width;
  const auto sheet_height = std::uint64_t{grid.rows} * grid.cell_height;
  if (std::max(sheet_width, sheet_height) > max_sheet_side)
    return failure{ec::unsupported, "contact sheet: it would have " + std::to_string(sheet_width) + " x "
                                      + std::to_string(sheet_height) + " pixels, expected at most "
                                      + std::to_string(max_sheet_side) + " on a side: show fewer samples"};
  cv::Mat sheet(static_cast<int>(sheet_height), static_cast<int>(sheet_width), CV_8UC3, white);
  for (std::size_t i = 0; i < tiles.size(); ++i)
    draw_tile(sheet, tiles[i],
              {static_cast<int>(i % grid.columns * grid.cell_width + grid.margin),
               static_cast<int>(i / grid.columns * grid.cell_height + grid.margin),
               static_cast<int>(grid.scale * width), static_cast<int>(grid.scale * height)},
              {static_cast<int>(width), static_cast<int>(height)});
  std::vector<unsigned char> png;
  if (!cv::imencode(".png", sheet, png))
    return failure{ec::io_error, "contact sheet: cannot encode " + std::to_string(sheet_width) + " x "
                                   + std::to_string(sheet_height) + " pixels as PNG"};
  return png_image{static_cast<std::uint32_t>(sheet_width), static_cast<std::uint32_t>(sheet_height),
                   std::string(png.begin(), png.end())};
}

} // namespace troupe
