#include "actors/support/imaging/contact_sheet.hpp"

#include <opencv2/imgcodecs.hpp>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

/// A tile of noise that is its own.
sheet_tile noise(std::uint32_t width, std::uint32_t height, unsigned number) {
  sheet_tile out{"class " + std::to_string(number), {}};
  for (unsigned i = 0; i < 3 * width * height; ++i)
    out.rgb.push_back(static_cast<unsigned char>((i * 2654435761u + number * 40503u) >> 13));
  return out;
}

cv::Mat decoded(const png_image& image) {
  const std::vector<unsigned char> bytes(image.bytes.begin(), image.bytes.end());
  return cv::imdecode(bytes, cv::IMREAD_COLOR);
}

/// The tile's pixels as the sheet shows them, at the tile's own scale.
std::vector<unsigned char> shown(const cv::Mat& sheet, const sheet_grid& grid, std::size_t index, std::uint32_t width,
                                 std::uint32_t height) {
  std::vector<unsigned char> out;
  const auto left = index % grid.columns * grid.cell_width + grid.margin;
  const auto top = index / grid.columns * grid.cell_height + grid.margin;
  for (std::uint32_t y = 0; y < height; ++y)
    for (std::uint32_t x = 0; x < width; ++x) {
      const auto pixel = sheet.at<cv::Vec3b>(static_cast<int>(top + y * grid.scale + grid.scale / 2),
                                             static_cast<int>(left + x * grid.scale + grid.scale / 2));
      out.insert(out.end(), {pixel[2], pixel[1], pixel[0]});
    }
  return out;
}

} // namespace

TEST_SUITE_BEGIN("actors/support/imaging");

TEST_CASE("every tile of a contact sheet is shown, pixel by pixel") {
  for (const auto& [width, height] : {std::pair{28u, 20u}, {200u, 130u}, {1u, 1u}}) {
    std::vector<sheet_tile> tiles;
    for (unsigned i = 0; i < 7; ++i)
      tiles.push_back(noise(width, height, i));
    const auto drawn = draw_contact_sheet(tiles, width, height);
    REQUIRE(drawn);
    const auto grid = plan_contact_sheet(tiles.size(), width, height);
    CHECK(grid.columns * grid.rows >= tiles.size());
    const auto sheet = decoded(*drawn);
    CHECK(sheet.cols == static_cast<int>(drawn->width));
    CHECK(sheet.rows == static_cast<int>(drawn->height));
    for (std::size_t i = 0; i < tiles.size(); ++i)
      CHECK(shown(sheet, grid, i, width, height) == tiles[i].rgb);
  }
}

TEST_CASE("a tile without pixels is a grey field, and any caption can be drawn") {
  const auto drawn = draw_contact_sheet({{"\xc3\xa9t\xc3\xa9 \n " + std::string(500, 'x'), {}}}, 10, 10);
  REQUIRE(drawn);
  const auto grid = plan_contact_sheet(1, 10, 10);
  const auto sheet = decoded(*drawn);
  const auto middle = static_cast<int>(grid.margin + 5 * grid.scale);
  CHECK(sheet.at<cv::Vec3b>(middle, middle) == cv::Vec3b(200, 200, 200));
}

TEST_CASE("the grid is about as wide as high") {
  const auto grid = plan_contact_sheet(64, 224, 224);
  CHECK(grid.scale == 1);
  CHECK(grid.columns == 8);
  CHECK(grid.rows == 8);
  CHECK(plan_contact_sheet(1, 3000, 1).columns == 1);
  CHECK(plan_contact_sheet(5, 1, 3000).columns == 5);
}

TEST_CASE("a contact sheet that cannot be drawn is refused") {
  CHECK(draw_contact_sheet({}, 10, 10).error().code == ec::unsupported);
  CHECK(draw_contact_sheet({noise(4, 4, 1)}, 0, 4).error().code == ec::unsupported);
  CHECK(draw_contact_sheet({noise(4, 4, 1)}, 5, 4).error().code == ec::mismatch);
  const auto huge = draw_contact_sheet(std::vector<sheet_tile>(100, {"", {}}), 4000, 4000);
  REQUIRE_FALSE(huge);
  CHECK(huge.error().context.find("40") != std::string::npos);
}

TEST_SUITE_END();
