#include "actors/support/imaging/image_header.hpp"

#include "actors/support/imaging/codecs/format_headers.hpp"

#include <algorithm>

namespace troupe {

namespace {

using namespace std::string_view_literals;

/// The first bytes as "47 49 46 38", at most eight.
std::string first_bytes(const byte_view& view) {
  constexpr auto digits = "0123456789abcdef"sv;
  std::string text;
  for (std::size_t i = 0; i < std::min<std::size_t>(view.size(), 8); ++i) {
    text += i == 0 ? "" : " ";
    text += digits[view.u8(i) >> 4];
    text += digits[view.u8(i) & 15];
  }
  return text;
}

failure no_image(const byte_view& view) {
  const auto found = view.size() == 0 ? std::string{"is empty"} : "starts with the bytes " + first_bytes(view);
  const auto hint = view.matches(0, "GIF8") ? " (GIF)" : view.matches(0, "P7") ? " (PAM)" : "";
  return {ec::unsupported, "content " + found + hint + ", expected JPEG, PNG, BMP, WebP, TIFF, JPEG 2000 or PNM"};
}

expected<image_header> read_header_of(image_format format, std::span<const std::byte> bytes) {
  switch (format) {
  case image_format::jpeg:
    return read_jpeg_header(bytes);
  case image_format::png:
    return read_png_header(bytes);
  case image_format::bmp:
    return read_bmp_header(bytes);
  case image_format::webp:
    return read_webp_header(bytes);
  case image_format::tiff:
    return read_tiff_header(bytes);
  case image_format::jpeg2000:
    return read_jpeg2000_header(bytes);
  case image_format::pnm:
    return read_pnm_header(bytes);
  case image_format::unknown:
  case image_format::first_of_plugins:
    break;
  }
  return no_image(byte_view{bytes});
}

} // namespace

image_format sniff_image_format(std::span<const std::byte> bytes) noexcept {
  const byte_view view{bytes};
  if (view.matches(0, "\xff\xd8\xff"sv))
    return image_format::jpeg;
  if (view.matches(0, "\x89PNG\r\n\x1a\n"sv))
    return image_format::png;
  if (view.matches(0, "RIFF"sv) && view.matches(8, "WEBP"sv))
    return image_format::webp;
  if (view.matches(0, "II*\0"sv) || view.matches(0, "MM\0*"sv))
    return image_format::tiff;
  if (view.matches(0, "\0\0\0\x0cjP  \r\n\x87\n"sv) || view.matches(0, "\xff\x4f\xff\x51"sv))
    return image_format::jpeg2000;
  if (view.matches(0, "BM"sv))
    return image_format::bmp;
  const auto kind = view.u8(1);
  const auto after = view.u8(2);
  if (view.u8(0) == 'P' && kind >= '1' && kind <= '6'
      && (after == ' ' || after == '#' || (after >= '\t' && after <= '\r')))
    return image_format::pnm;
  return image_format::unknown;
}

cv::Size image_header::oriented_size() const noexcept {
  const cv::Size stored{static_cast<int>(width), static_cast<int>(height)};
  return orientation >= 5 ? cv::Size{stored.height, stored.width} : stored;
}

expected<image_header> read_image_header(std::span<const std::byte> bytes) {
  const auto format = sniff_image_format(bytes);
  auto header = read_header_of(format, bytes);
  if (!header)
    return header;
  header->format = format;
  constexpr std::uint32_t max_side = 0x7fffffff;
  if (header->width == 0 || header->height == 0 || header->width > max_side || header->height > max_side)
    return damaged(format, "the image is " + std::to_string(header->width) + "x" + std::to_string(header->height)
                             + " pixels, expected 1x1 to " + std::to_string(max_side) + " on a side");
  return header;
}

} // namespace troupe
