#include "actors/support/imaging/thumbnail.hpp"

#include <algorithm>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <vector>

namespace troupe {

namespace {

/// A side of the picture that is shrunk until `longer` has `most` pixels; at least one.
int shrunk(std::uint32_t side, std::uint32_t longer, std::uint32_t most) {
  return static_cast<int>(std::max<std::uint64_t>((std::uint64_t{side} * most + longer / 2) / longer, 1));
}

} // namespace

expected<png_image> draw_thumbnail(std::span<const unsigned char> rgb, std::uint32_t width, std::uint32_t height,
                                   std::uint32_t most_pixels) {
  if (rgb.empty() || rgb.size() != std::size_t{3} * width * height)
    return failure{ec::mismatch, "thumbnail: " + std::to_string(rgb.size()) + " bytes, expected 3 x "
                                   + std::to_string(width) + " x " + std::to_string(height)};
  const cv::Mat picture(static_cast<int>(height), static_cast<int>(width), CV_8UC3,
                        const_cast<unsigned char*>(rgb.data()));
  cv::Mat bgr;
  cv::cvtColor(picture, bgr, cv::COLOR_RGB2BGR);
  if (const auto longer = std::max(width, height); longer > most_pixels)
    cv::resize(bgr, bgr, {shrunk(width, longer, most_pixels), shrunk(height, longer, most_pixels)}, 0, 0,
               cv::INTER_AREA);
  std::vector<unsigned char> png;
  if (!cv::imencode(".png", bgr, png))
    return failure{ec::io_error, "thumbnail: cannot encode " + std::to_string(bgr.cols) + " x "
                                   + std::to_string(bgr.rows) + " pixels as PNG"};
  return png_image{static_cast<std::uint32_t>(bgr.cols), static_cast<std::uint32_t>(bgr.rows),
                   std::string(png.begin(), png.end())};
}

} // namespace troupe
