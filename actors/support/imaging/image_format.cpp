#include "actors/support/imaging/image_format.hpp"

#include "actors/support/imaging/plugin_extensions.hpp"

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
  case first_of_plugins:
    break;
  }
  return is_of_plugin(format) ? plugin_format_name(format) : "unknown";
}

image_format promised_format(std::string_view file_name) noexcept {
  const auto dot = file_name.rfind('.');
  if (dot == std::string_view::npos)
    return unknown;
  const auto promised = [extension = file_name.substr(dot + 1)](const auto& each) {
    return equal_but_case(extension, each.first);
  };
  if (const auto found = std::find_if(extensions.begin(), extensions.end(), promised); found != extensions.end())
    return found->second;
  const auto& more = plugin_extensions();
  const auto found = std::find_if(more.begin(), more.end(), promised);
  return found == more.end() ? unknown : found->second;
}

} // namespace troupe
