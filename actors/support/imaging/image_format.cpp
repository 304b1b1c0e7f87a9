#include "actors/support/imaging/image_format.hpp"

#include <algorithm>
#include <array>
#include <utility>

namespace troupe {

namespace {

using enum image_format;

constexpr std::array<std::pair<std::string_view, image_format>, 15> extensions = {{
  {"jpg", jpeg},
  {"jpeg", jpeg},
  {"jpe", jpeg},
  {"png", png},
  {"bmp", bmp},
  {"dib", bmp},
  {"webp", webp},
  {"tif", tiff},
  {"tiff", tiff},
  {"jp2", jpeg2000},
  {"j2k", jpeg2000},
  {"pbm", pnm},
  {"pgm", pnm},
  {"ppm", pnm},
  {"pnm", pnm},
}};

bool equal_but_case(std::string_view text, std::string_view lower) noexcept {
  return std::equal(text.begin(), text.end(), lower.begin(), lower.end(),
                    [](char x, char y) { return (x >= 'A' && x <= 'Z' ? static_cast<char>(x - 'A' + 'a') : x) == y; });
}

} // namespace

std::string_view name_of(image_format format) noexcept {
  switch (format) {
  case jpeg:
    return "JPEG";
  case png:
    return "PNG";
  case bmp:
    return "BMP";
  case webp:
    return "WebP";
  case tiff:
    return "TIFF";
  case jpeg2000:
    return "JPEG 2000";
  case pnm:
    return "PNM";
  case unknown:
    break;
  }
  return "unknown";
}

image_format promised_format(std::string_view file_name) noexcept {
  const auto dot = file_name.rfind('.');
  const auto found = std::find_if(extensions.begin(), extensions.end(), [&](const auto& each) {
    return dot != std::string_view::npos && equal_but_case(file_name.substr(dot + 1), each.first);
  });
  return found == extensions.end() ? unknown : found->second;
}

} // namespace troupe
