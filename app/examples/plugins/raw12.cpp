/// A camera's own format: grey pictures of 12 bits, packed, which no image library reads.
///
///     bytes 0..5    "RAW12" and a zero
///     bytes 6..13   width and height, u32, little endian
///     bytes 14...   pixels, row after row, two in three bytes, low bits first (GenICam's Mono12p)
///
/// With the plugin a folder of such files is a data set like any other: {dataset: image_folder, root: ...}.
#include "actors/plugin.hpp"

#include <opencv2/core.hpp>

#include <cstring>
#include <stdexcept>
#include <string>

namespace {

constexpr char magic[] = "RAW12"; // With its zero: six bytes.
constexpr std::size_t header_bytes = 14;

std::uint32_t u32_at(std::span<const std::byte> bytes, std::size_t at) {
  std::uint32_t value = 0;
  for (std::size_t i = 0; i < 4; ++i)
    value |= std::to_integer<std::uint32_t>(bytes[at + i]) << 8 * i;
  return value;
}

class raw12 final : public troupe::sample_decoder {
public:
  explicit raw12(const troupe::parameters& values) : white_(static_cast<std::uint32_t>(values.whole("white"))) {}

  [[nodiscard]] std::vector<std::string> extensions() const override { return {"r12"}; }

  /// By the content alone: names lie.
  [[nodiscard]] bool recognises(std::span<const std::byte> bytes) const override {
    return bytes.size() >= header_bytes && std::memcmp(bytes.data(), magic, sizeof(magic)) == 0;
  }

  [[nodiscard]] troupe::image_shape shape(std::span<const std::byte> bytes) const override {
    const auto width = u32_at(bytes, 6), height = u32_at(bytes, 10);
    constexpr auto most = static_cast<std::uint32_t>(troupe::max_image_side);
    if (width < 1 || width > most || height < 1 || height > most) // Never trust a file: this decides what is allocated.
      throw std::runtime_error("claims " + std::to_string(width) + " x " + std::to_string(height) + " pixels");
    return {1, static_cast<int>(height), static_cast<int>(width), 16};
  }

  void decode(std::span<const std::byte> bytes, cv::Mat& image) const override {
    const auto size = shape(bytes);
    const auto pixels = bytes.subspan(header_bytes);
    const auto expected = (size.num_elements() * 3 + 1) / 2;
    if (pixels.size() < expected)
      throw std::runtime_error("ends after " + std::to_string(pixels.size()) + " bytes of pixels, expected "
                               + std::to_string(expected));
    image.create(size.height, size.width, CV_16UC1);
    const auto byte_at = [pixels](std::size_t i) { return std::to_integer<std::uint32_t>(pixels[i]); };
    auto* out = image.ptr<std::uint16_t>();
    for (std::size_t i = 0; i < size.num_elements(); ++i) {
      const auto at = i * 3 / 2; // Even pixels begin with a byte, odd ones in the middle of one.
      const auto value =
        i % 2 == 0 ? byte_at(at) | (byte_at(at + 1) & 15) << 8 : byte_at(at) >> 4 | byte_at(at + 1) << 4;
      out[i] = static_cast<std::uint16_t>(std::min(65535U, (value * 65535 + white_ / 2) / white_));
    }
  }

private:
  std::uint32_t white_;
};

} // namespace

TROUPE_PLUGIN(raw12, "1.0") {
  using namespace troupe;
  plugin.decoder(
    "raw12", "Packed 12-bit grey pictures of a camera.",
    {param::whole("white", 4095, 1, 4095, "The value that becomes white; lower ones are scaled, higher cut.")},
    [](const parameters& values) { return std::make_unique<raw12>(values); });
}
