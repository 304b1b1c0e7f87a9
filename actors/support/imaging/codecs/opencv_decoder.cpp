#include "actors/support/imaging/codecs/opencv_decoder.hpp"

#include "actors/support/imaging/codecs/format_headers.hpp"
#include "actors/support/imaging/codecs/tiff_directory.hpp"

#include <algorithm>
#include <limits>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <optional>
#include <vector>

namespace troupe {

namespace {

failure cannot_decode(image_format format, ec code, const std::string& why) {
  return {code, "cannot be decoded (" + std::string{name_of(format)} + "): " + why};
}

expected<void> check_complete(std::span<const std::byte> bytes, image_format format) {
  switch (format) {
  case image_format::png:
    return check_png_complete(bytes);
  case image_format::bmp:
    return check_bmp_complete(bytes);
  case image_format::webp:
    return check_webp_complete(bytes);
  case image_format::tiff:
    return check_tiff_complete(bytes);
  case image_format::jpeg2000:
    return check_jpeg2000_complete(bytes);
  case image_format::pnm:
    return check_pnm_complete(bytes);
  case image_format::jpeg:
  case image_format::unknown:
  case image_format::first_of_plugins:
    break;
  }
  return cannot_decode(format, ec::unsupported, "expected PNG, BMP, WebP, TIFF, JPEG 2000 or PNM");
}

/// Overwrites the integers of a tag with 1.
void set_to_one(std::vector<std::byte>& file, const tiff_directory& directory, std::uint32_t tag) {
  const auto field = directory.field(tag);
  if (!field)
    return;
  const auto low_byte = directory.order() == byte_order::little ? 0 : field->value_bytes - 1;
  for (std::size_t i = 0; i < field->count; ++i) {
    const auto value = file.begin() + static_cast<std::ptrdiff_t>(field->at + i * field->value_bytes);
    std::fill_n(value, field->value_bytes, std::byte{0});
    value[static_cast<std::ptrdiff_t>(low_byte)] = std::byte{1};
  }
}

/// OpenCV turns TIFF files as their orientation says, whatever it is told, and multiplies colours by alpha. Returns the
/// file with the tags that make it do so changed; nothing where there are none.
std::optional<std::vector<std::byte>> without_quirks(std::span<const std::byte> bytes) {
  const auto directory = tiff_directory::find(bytes);
  const bool has_alpha = directory && directory->field(tiff_tag::extra_samples);
  if (!directory || (directory->orientation() == 1 && !has_alpha))
    return std::nullopt;
  std::vector<std::byte> file(bytes.begin(), bytes.end());
  set_to_one(file, *directory, tiff_tag::orientation);
  set_to_one(file, *directory, tiff_tag::extra_samples); // 1: colours are multiplied already.
  return file;
}

/// Grey with alpha in JPEG 2000 comes as colours only; everything else comes as stored.
int flags_for(const image_header& header) noexcept {
  if (header.format == image_format::jpeg2000 && header.channels == 2)
    return cv::IMREAD_COLOR | cv::IMREAD_ANYDEPTH | cv::IMREAD_IGNORE_ORIENTATION;
  return cv::IMREAD_UNCHANGED;
}

expected<cv::Mat> imdecode(std::span<const std::byte> bytes, const image_header& header) {
  const cv::Mat file(1, static_cast<int>(bytes.size()), CV_8U, const_cast<std::byte*>(bytes.data()));
  try {
    auto found = cv::imdecode(file, flags_for(header));
    if (found.empty())
      return cannot_decode(header.format, ec::corrupt,
                           "OpenCV's decoder finds its data damaged, or of an unknown kind");
    return found;
  } catch (const cv::Exception& e) {
    return cannot_decode(header.format, e.code == cv::Error::StsNotImplemented ? ec::unsupported : ec::corrupt, e.err);
  }
}

/// The value that stands for white in the pixels that OpenCV returns.
double white_of(const cv::Mat& found, std::span<const std::byte> bytes, const image_header& header) noexcept {
  const bool deep = found.depth() == CV_16U;
  if (header.format == image_format::pnm && (deep || has_byte_samples(bytes)))
    return pnm_max_value(bytes);
  const auto bits = std::clamp<int>(header.bits, 9, 16);
  if (header.format == image_format::jpeg2000 && deep)
    return (1 << bits) - 1;
  if (header.format == image_format::tiff && deep) // The bits that are missing come as zeros at the end.
    return ((1 << bits) - 1) << (16 - bits);
  return deep ? 65535 : 255;
}

cv::ColorConversionCodes conversion(int from_channels, std::int64_t to_channels) noexcept {
  if (to_channels == 1)
    return from_channels == 3 ? cv::COLOR_BGR2GRAY : cv::COLOR_BGRA2GRAY;
  return from_channels == 1 ? cv::COLOR_GRAY2RGB : from_channels == 3 ? cv::COLOR_BGR2RGB : cv::COLOR_BGRA2RGB;
}

cv::Mat laid_out(cv::Mat pixels, double white, const pixel_layout& wanted) {
  const auto depth = wanted.bits == 16 ? CV_16U : CV_8U;
  const auto wanted_white = wanted.bits == 16 ? 65535.0 : 255.0;
  if (pixels.depth() != depth || white != wanted_white) {
    cv::Mat spread;
    pixels.convertTo(spread, depth, wanted_white / white);
    pixels = spread;
  }
  if (pixels.channels() == wanted.channels && wanted.channels == 1)
    return pixels;
  cv::Mat coloured;
  cv::cvtColor(pixels, coloured, conversion(pixels.channels(), wanted.channels));
  return coloured;
}

} // namespace

expected<cv::Mat> decode_with_opencv(std::span<const std::byte> bytes, const image_header& header,
                                     const pixel_layout& wanted) {
  if (bytes.size() > std::numeric_limits<int>::max())
    return cannot_decode(header.format, ec::unsupported,
                         "the file has " + std::to_string(bytes.size()) + " bytes, expected less than 2 GiB");
  if (auto complete = check_complete(bytes, header.format); !complete)
    return complete.error();
  const auto changed = header.format == image_format::tiff ? without_quirks(bytes) : std::nullopt;
  auto found = imdecode(changed ? std::span<const std::byte>{*changed} : bytes, header);
  if (!found)
    return found;
  if (found->cols != static_cast<int>(header.width) || found->rows != static_cast<int>(header.height))
    return cannot_decode(header.format, ec::corrupt, "its pixels do not fit the size that its header says");
  if (found->depth() != CV_8U && found->depth() != CV_16U)
    return cannot_decode(header.format, ec::unsupported, "its pixels are not integers of 8 or 16 bits");
  if (found->channels() != 1 && found->channels() != 3 && found->channels() != 4)
    return cannot_decode(header.format, ec::unsupported,
                         "it has " + std::to_string(found->channels()) + " channels, expected 1, 3 or 4");
  try {
    return laid_out(*found, white_of(*found, bytes, header), wanted);
  } catch (const cv::Exception& error) { // Most likely there is no memory left for another copy.
    return cannot_decode(header.format, ec::unsupported, error.err);
  }
}

} // namespace troupe
