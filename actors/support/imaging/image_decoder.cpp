#include "actors/support/imaging/image_decoder.hpp"

#include "actors/support/imaging/codecs/jpeg_decoder.hpp"
#include "actors/support/imaging/codecs/opencv_decoder.hpp"
#include "actors/support/imaging/codecs/orientation.hpp"
#include "actors/support/imaging/plugin_decoders.hpp"

#include <cassert>
#include <cmath>
#include <string>
#include <utility>

namespace troupe {

namespace {

/// "3 kB", "900 million": figures for people.
std::string rounded(std::uint64_t value, std::string_view small, std::uint64_t unit, std::string_view large) {
  const bool is_small = value < unit;
  return std::to_string(is_small ? value : (value + unit / 2) / unit) + std::string{is_small ? small : large};
}

std::string size_text(const image_header& header) {
  return std::to_string(header.width) + "x" + std::to_string(header.height);
}

/// The smallest scale, in eighths, at which `size` still has at least `target` pixels on each side.
int smallest_scale(cv::Size size, cv::Size target) noexcept {
  for (const int eighths : {1, 2, 4})
    if (size.width * std::int64_t{eighths} >= target.width * std::int64_t{8}
        && size.height * std::int64_t{eighths} >= target.height * std::int64_t{8})
      return eighths;
  return 8;
}

cv::Rect2d scaled(const cv::Rect& rect, int eighths) noexcept {
  const auto scale = eighths / 8.0;
  return {rect.x * scale, rect.y * scale, rect.width * scale, rect.height * scale};
}

/// The whole pixels that `rect` touches.
cv::Rect covering(const cv::Rect2d& rect) noexcept {
  const cv::Point first{static_cast<int>(std::floor(rect.x)), static_cast<int>(std::floor(rect.y))};
  const cv::Point end{static_cast<int>(std::ceil(rect.x + rect.width)),
                      static_cast<int>(std::ceil(rect.y + rect.height))};
  return {first, end};
}

} // namespace

struct image_decoder::state {
  state(const decode_config& cfg, expected<std::shared_ptr<const plugin_decoders>> of_plugins)
    : config(cfg), plugins(std::move(of_plugins)) {}

  decode_config config;
  expected<std::shared_ptr<const plugin_decoders>> plugins; ///< Null: there are none.
  jpeg_decoder jpeg;
  pixel_buffer deep;
  pixel_buffer turned;

  [[nodiscard]] std::uint8_t orientation_of(const image_header& header) const noexcept {
    return config.apply_orientation ? header.orientation : std::uint8_t{1};
  }

  /// Decodes a region in stored coordinates; the result is not oriented.
  [[nodiscard]] expected<decoded_region> decode_jpeg(std::span<const std::byte> bytes, const cv::Rect& region,
                                                     int eighths) {
    const auto exact = scaled(region, eighths);
    const auto window = covering(exact);
    auto pixels = jpeg.decode(bytes, {eighths, window, config.channels == 1});
    if (!pixels)
      return pixels.error();
    if (config.bits == 16) {
      auto deeper = deep.image(pixels->size(), CV_16UC(pixels->channels()));
      pixels->convertTo(deeper, deeper.type(), 257);
      *pixels = deeper;
    }
    return decoded_region{*pixels, exact - cv::Point2d(window.tl())};
  }

  [[nodiscard]] expected<decoded_region> decode_other(std::span<const std::byte> bytes, const image_header& header,
                                                      const cv::Rect& region) const {
    const pixel_layout wanted{config.channels, config.bits};
    auto pixels = is_of_plugin(header.format) ? (*plugins)->decode(bytes, header, wanted)
                                              : decode_with_opencv(bytes, header, wanted);
    if (!pixels)
      return pixels.error();
    return decoded_region{(*pixels)(region), cv::Rect2d({}, cv::Size2d(region.size()))};
  }
};

image_decoder::image_decoder(const decode_config& config)
  : state_(std::make_unique<state>(config, plugin_decoders::make(config.formats))) {}
image_decoder::image_decoder(const decode_config& config, std::shared_ptr<const plugin_decoders> plugins)
  : state_(std::make_unique<state>(config, std::move(plugins))) {}
image_decoder::image_decoder(image_decoder&&) noexcept = default;
image_decoder& image_decoder::operator=(image_decoder&&) noexcept = default;
image_decoder::~image_decoder() = default;

expected<image_header> image_decoder::read_header(std::span<const std::byte> bytes) const {
  const auto& plugins = state_->plugins;
  if (!plugins)
    return plugins.error();
  if (*plugins != nullptr) {
    auto found = (*plugins)->read_header(bytes);
    if (!found)
      return found.error();
    if (*found)
      return **found;
  }
  return read_image_header(bytes);
}

expected<void> image_decoder::check_limits(const image_header& header, std::size_t num_bytes) const {
  const auto num_pixels = std::uint64_t{header.width} * header.height;
  const auto claim = [&] {
    return "claims " + size_text(header) + " = " + rounded(num_pixels, "", 1'000'000, " million")
           + " pixels in a file of " + rounded(num_bytes, " bytes", 1000, " kB") + ", expected at most ";
  };
  if (num_pixels > state_->config.max_pixels)
    return failure{ec::bad_data, claim() + rounded(state_->config.max_pixels, "", 1'000'000, " million")};
  if (num_pixels / state_->config.max_pixels_per_byte > num_bytes)
    return failure{ec::bad_data, claim() + std::to_string(state_->config.max_pixels_per_byte) + " per byte"};
  return {};
}

expected<cv::Mat> image_decoder::decode(std::span<const std::byte> bytes, const image_header& header) {
  const cv::Size stored{static_cast<int>(header.width), static_cast<int>(header.height)};
  const auto size = swaps_sides(state_->orientation_of(header)) ? cv::Size{stored.height, stored.width} : stored;
  auto whole = decode_region(bytes, header, {{}, size}, size);
  if (!whole)
    return whole.error();
  return whole->pixels;
}

expected<decoded_region> image_decoder::decode_region(std::span<const std::byte> bytes, const image_header& header,
                                                      const cv::Rect& region, cv::Size target) {
  if (auto allowed = check_limits(header, bytes.size()); !allowed)
    return allowed.error();
  const auto orientation = state_->orientation_of(header);
  const cv::Size size{static_cast<int>(header.width), static_cast<int>(header.height)};
  const auto stored = to_stored(region, size, orientation);
  assert(!stored.empty() && (stored & cv::Rect({}, size)) == stored);
  const auto eighths = state_->config.scaled_jpeg ? smallest_scale(region.size(), target) : 8;
  auto found = header.format == image_format::jpeg ? state_->decode_jpeg(bytes, stored, eighths)
                                                   : state_->decode_other(bytes, header, stored);
  if (!found)
    return found;
  found->region = to_oriented(found->region, found->pixels.size(), orientation);
  found->pixels = orient(found->pixels, orientation, state_->turned);
  return found;
}

} // namespace troupe
