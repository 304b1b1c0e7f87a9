#include "actors/support/imaging/codecs/format_headers.hpp"

#include <bit>
#include <optional>

namespace troupe {

namespace {

constexpr std::uint32_t max_number = 0x7fffffff;

bool is_space(std::uint32_t c) noexcept {
  return c == ' ' || (c >= '\t' && c <= '\r');
}

bool is_digit(std::uint32_t c) noexcept {
  return c >= '0' && c <= '9';
}

/// Steps over white space, and comments that reach to the end of their line.
std::size_t skip_space(const byte_view& view, std::size_t at) noexcept {
  for (; at < view.size(); ++at) {
    if (view.u8(at) == '#')
      while (at < view.size() && view.u8(at) != '\n')
        ++at;
    else if (!is_space(view.u8(at)))
      break;
  }
  return at;
}

/// Reads a number and steps past it.
std::optional<std::uint32_t> read_number(const byte_view& view, std::size_t& at) noexcept {
  at = skip_space(view, at);
  if (!is_digit(view.u8(at)))
    return std::nullopt;
  std::uint64_t number = 0;
  for (; is_digit(view.u8(at)); ++at)
    number = number > max_number ? number : number * 10 + (view.u8(at) - '0');
  return number > max_number ? std::nullopt : std::optional{static_cast<std::uint32_t>(number)};
}

struct pnm_layout {
  char kind = 0; ///< '1'..'6'
  std::uint32_t width = 0;
  std::uint32_t height = 0;
  std::uint32_t max_value = 1;
  std::size_t pixels_at = 0;

  [[nodiscard]] std::uint64_t channels() const noexcept { return kind == '3' || kind == '6' ? 3 : 1; }
  [[nodiscard]] std::uint64_t num_samples() const noexcept { return channels() * width * height; }
};

std::optional<pnm_layout> read_layout(const byte_view& view) noexcept {
  pnm_layout layout;
  layout.kind = static_cast<char>(view.u8(1));
  std::size_t at = 2;
  const auto width = read_number(view, at);
  const auto height = width ? read_number(view, at) : std::nullopt;
  const bool bitmap = layout.kind == '1' || layout.kind == '4';
  const auto max_value = !height ? std::nullopt : bitmap ? std::optional{1u} : read_number(view, at);
  if (!max_value || *max_value == 0 || *max_value > 65535)
    return std::nullopt;
  layout.width = *width;
  layout.height = *height;
  layout.max_value = *max_value;
  layout.pixels_at = at + 1; // One white space follows.
  return layout;
}

/// True if at least `wanted` samples stand in the text from `at` on; in bitmaps, each digit is one.
bool has_text_samples(const byte_view& view, std::size_t at, std::uint64_t wanted, bool digits) noexcept {
  std::uint64_t found = 0;
  for (at = skip_space(view, at); at < view.size() && found < wanted; at = skip_space(view, at)) {
    ++found;
    ++at;
    while (!digits && at < view.size() && !is_space(view.u8(at)))
      ++at;
  }
  return found == wanted;
}

bool has_pixels(const byte_view& view, const pnm_layout& layout) noexcept {
  switch (layout.kind) {
  case '1':
  case '2':
  case '3':
    return has_text_samples(view, layout.pixels_at, layout.num_samples(), layout.kind == '1');
  case '4':
    return view.has(layout.pixels_at, (std::uint64_t{layout.width} + 7) / 8 * layout.height);
  default:
    return view.has(layout.pixels_at, layout.num_samples() * (layout.max_value > 255 ? 2 : 1));
  }
}

} // namespace

expected<image_header> read_pnm_header(std::span<const std::byte> bytes) {
  const auto layout = read_layout(byte_view{bytes});
  if (!layout)
    return damaged(image_format::pnm,
                   "it does not read as numbers, expected width, height and a largest value of 1 to 65535");
  image_header header;
  header.width = layout->width;
  header.height = layout->height;
  header.channels = static_cast<std::uint8_t>(layout->channels());
  header.bits = static_cast<std::uint8_t>(std::bit_width(layout->max_value));
  return header;
}

expected<void> check_pnm_complete(std::span<const std::byte> bytes) {
  const byte_view view{bytes};
  const auto layout = read_layout(view);
  if (!layout || !has_pixels(view, *layout))
    return cut_off(image_format::pnm, bytes.size(), "as many pixels as its header says");
  return {};
}

std::uint32_t pnm_max_value(std::span<const std::byte> bytes) noexcept {
  const auto layout = read_layout(byte_view{bytes});
  return layout ? layout->max_value : 1;
}

bool has_byte_samples(std::span<const std::byte> bytes) noexcept {
  return byte_view{bytes}.u8(1) >= '5';
}

} // namespace troupe
