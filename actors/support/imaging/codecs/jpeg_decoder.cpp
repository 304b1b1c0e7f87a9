#include "actors/support/imaging/codecs/jpeg_decoder.hpp"

#include "actors/support/imaging/codecs/jpeg_session.hpp"
#include "actors/support/imaging/codecs/pixel_buffer.hpp"

#include <algorithm>
#include <string>

namespace troupe {

namespace {

/// Pixels around the window that libjpeg needs to make those inside right: it smooths colours across them.
constexpr int margin = 2;

constexpr unsigned char marker_start = 0xff;
constexpr unsigned char end_of_image = 0xd9;

/// True if an end-of-image marker stands somewhere in what is left of the file. Other data may follow it. In the data of
/// pixels no such marker can stand: their ff bytes are followed by zero.
bool has_end(const unsigned char* data, std::size_t size) noexcept {
  for (auto i = size; i-- > 1;)
    if (data[i] == end_of_image && data[i - 1] == marker_start)
      return true;
  return false;
}

/// a * b / 255, rounded.
unsigned product(unsigned a, unsigned b) noexcept {
  const auto t = a * b + 128;
  return (t + (t >> 8)) >> 8;
}

unsigned char luma(unsigned r, unsigned g, unsigned b) noexcept {
  return static_cast<unsigned char>((r * 19595 + g * 38470 + b * 7471 + 0x8000) >> 16);
}

/// Turns a row of CMYK into RGB or grey, within its own memory. `flip` is 0 where the inks are stored inverted, as
/// Adobe's programs do, and 255 where they are not.
void convert_inks(unsigned char* row, int width, unsigned flip, bool grey) noexcept {
  const unsigned char* from = row;
  unsigned char* to = row;
  for (int x = 0; x < width; ++x, from += 4) {
    const auto paper = from[3] ^ flip;
    const auto r = product(from[0] ^ flip, paper);
    const auto g = product(from[1] ^ flip, paper);
    const auto b = product(from[2] ^ flip, paper);
    if (grey) {
      *to++ = luma(r, g, b);
      continue;
    }
    *to++ = static_cast<unsigned char>(r);
    *to++ = static_cast<unsigned char>(g);
    *to++ = static_cast<unsigned char>(b);
  }
}

} // namespace

struct jpeg_decoder::state {
  jpeg_session session;
  pixel_buffer memory;
  jpeg_window window;
  JDIMENSION left = 0;  ///< The first column that libjpeg returns.
  JDIMENSION first = 0; ///< The first row that it returns.

  void start(std::span<const std::byte> bytes) {
    auto& lib = session.lib;
    jpeg_mem_src(&lib, reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size());
    jpeg_read_header(&lib, TRUE);
  }

  [[nodiscard]] bool has_inks() const noexcept { return session.lib.out_color_space == JCS_CMYK; }

  /// Sets what comes out, and narrows the columns down to the window.
  void choose_output() {
    auto& lib = session.lib;
    const bool inks = lib.jpeg_color_space == JCS_CMYK || lib.jpeg_color_space == JCS_YCCK;
    lib.out_color_space = inks ? JCS_CMYK : window.grey ? JCS_GRAYSCALE : JCS_EXT_RGB;
    lib.scale_num = static_cast<unsigned>(window.eighths);
    lib.scale_denom = 8;
    jpeg_start_decompress(&lib);
    left = 0;
    first = 0;
    if (jpeg_has_multiple_scans(&lib) != FALSE || !fits())
      return;
    left = static_cast<JDIMENSION>(std::max(window.rect.x - margin, 0));
    first = static_cast<JDIMENSION>(std::max(window.rect.y - margin, 0));
    auto width = std::min(static_cast<JDIMENSION>(window.rect.br().x + margin), lib.output_width) - left;
    if (width < lib.output_width)
      jpeg_crop_scanline(&lib, &left, &width);
  }

  /// True if the window lies inside the image as libjpeg sees it.
  [[nodiscard]] bool fits() const noexcept {
    const auto end = window.rect.br();
    return static_cast<JDIMENSION>(end.x) <= session.lib.output_width + left
           && static_cast<JDIMENSION>(end.y) <= session.lib.output_height;
  }

  /// Reads the rows from `first` to the window's last into `pixels`; checks what follows if that was the image's last.
  void read_rows(unsigned char* pixels, std::size_t row_bytes) {
    auto& lib = session.lib;
    const auto end = static_cast<JDIMENSION>(window.rect.br().y);
    if (first > 0)
      jpeg_skip_scanlines(&lib, first);
    while (lib.output_scanline < end) {
      JSAMPROW rows[8];
      const auto count = std::min<JDIMENSION>(8, end - lib.output_scanline);
      for (JDIMENSION i = 0; i < count; ++i)
        rows[i] = pixels + (lib.output_scanline - first + i) * row_bytes;
      jpeg_read_scanlines(&lib, rows, count);
    }
    if (lib.output_scanline == lib.output_height)
      jpeg_finish_decompress(&lib);
    else
      jpeg_abort_decompress(&lib);
  }

  /// The window's part of the rows, in its colours at last.
  [[nodiscard]] cv::Mat finish(const cv::Mat& rows, bool inks) const {
    const cv::Rect inside{window.rect.x - static_cast<int>(left), window.rect.y - static_cast<int>(first),
                          window.rect.width, window.rect.height};
    const auto found = rows(inside);
    if (!inks)
      return found;
    const auto flip = session.lib.saw_Adobe_marker != FALSE ? 0u : 255u;
    for (int y = 0; y < found.rows; ++y)
      convert_inks(const_cast<unsigned char*>(found.ptr(y)), found.cols, flip, window.grey);
    return {found.size(), window.grey ? CV_8UC1 : CV_8UC3, found.data, found.step};
  }
};

jpeg_decoder::jpeg_decoder() : state_(std::make_unique<state>()) {}
jpeg_decoder::~jpeg_decoder() = default;

expected<cv::Mat> jpeg_decoder::decode(std::span<const std::byte> bytes, const jpeg_window& window) {
  auto& now = *state_;
  auto& lib = now.session.lib;
  now.window = window;
  if (!now.session.attempt([&] { now.start(bytes); }))
    return now.session.error();
  if (!has_end(lib.src->next_input_byte, lib.src->bytes_in_buffer)) {
    jpeg_abort_decompress(&lib);
    return failure{ec::corrupt, "cannot be decoded (JPEG): the file is cut off after " + std::to_string(bytes.size())
                                  + " bytes, expected an end-of-image marker"};
  }
  if (!now.session.attempt([&] { now.choose_output(); }))
    return now.session.error();
  if (!now.fits()) {
    jpeg_abort_decompress(&lib);
    return failure{ec::corrupt, "cannot be decoded (JPEG): libjpeg sees a smaller image than its header says"};
  }
  const bool inks = now.has_inks();
  const cv::Size size{static_cast<int>(lib.output_width), window.rect.br().y - static_cast<int>(now.first)};
  auto rows = now.memory.image(size, CV_8UC(lib.output_components));
  if (!now.session.attempt([&] { now.read_rows(rows.data, rows.step); }))
    return now.session.error();
  return now.finish(rows, inks);
}

} // namespace troupe
