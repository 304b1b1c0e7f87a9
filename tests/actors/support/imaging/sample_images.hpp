/// Pictures and files of pictures for tests.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <jpeglib.h>

#include <opencv2/core.hpp>
#include <opencv2/imgcodecs.hpp>
#include <opencv2/imgproc.hpp>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

using file_bytes = std::vector<unsigned char>;

[[nodiscard]] inline std::span<const std::byte> as_bytes(const file_bytes& file) {
  return std::as_bytes(std::span{file});
}

/// Noise over smooth gradients, of 1 to 4 channels: the channels differ, as do all parts of the picture.
[[nodiscard]] inline cv::Mat picture(cv::Size size, int channels = 3, std::uint64_t seed = 1) {
  cv::RNG random{seed};
  cv::Mat coarse(cv::Size{5, 4}, CV_8UC(channels));
  random.fill(coarse, cv::RNG::UNIFORM, 0, 256);
  cv::Mat noise(size, CV_8UC(channels));
  random.fill(noise, cv::RNG::UNIFORM, 0, 32);
  cv::Mat smooth;
  cv::resize(coarse, smooth, size, 0, 0, cv::INTER_CUBIC);
  return cv::Mat{smooth * 0.85 + noise};
}

/// How a JPEG is to be written.
struct jpeg_style {
  int h_factor = 2; ///< Horizontal sampling of the first channel: 2 and 2 are 4:2:0.
  int v_factor = 2;
  bool progressive = false;
  bool adobe = false;               ///< With Adobe's marker.
  J_COLOR_SPACE stored = JCS_YCbCr; ///< Grey pictures are stored as grey.
  int orientation = 0;              ///< In EXIF data; 0: no such data.
  char byte_order = 'M';            ///< Of the EXIF data: 'M' or 'I'.
  unsigned restart_rows = 0;
};

/// EXIF data that say nothing but the orientation.
[[nodiscard]] inline std::string exif_data(int orientation, char byte_order = 'M') {
  using namespace std::string_literals;
  const auto value = static_cast<char>(orientation);
  if (byte_order == 'I')
    return "II*\0\x08\0\0\0\x01\0\x12\x01\x03\0\x01\0\0\0"s + value + "\0\0\0\0\0\0\0"s;
  return "MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0"s + value + "\0\0\0\0\0\0"s;
}

inline void write_exif(jpeg_compress_struct& lib, const jpeg_style& style) {
  const auto data = std::string{"Exif\0\0", 6} + exif_data(style.orientation, style.byte_order);
  jpeg_write_marker(&lib, JPEG_APP0 + 1, reinterpret_cast<const JOCTET*>(data.data()),
                    static_cast<unsigned>(data.size()));
}

inline J_COLOR_SPACE input_space(int channels) {
  return channels == 1 ? JCS_GRAYSCALE : channels == 3 ? JCS_EXT_RGB : JCS_CMYK;
}

/// A JPEG of RGB, grey or (4 channels) CMYK pixels.
[[nodiscard]] inline file_bytes jpeg_file(const cv::Mat& pixels, const jpeg_style& style = {}) {
  jpeg_compress_struct lib{};
  jpeg_error_mgr errors{};
  lib.err = jpeg_std_error(&errors);
  jpeg_create_compress(&lib);
  unsigned char* memory = nullptr;
  unsigned long size = 0;
  jpeg_mem_dest(&lib, &memory, &size);
  lib.image_width = static_cast<JDIMENSION>(pixels.cols);
  lib.image_height = static_cast<JDIMENSION>(pixels.rows);
  lib.input_components = pixels.channels();
  lib.in_color_space = input_space(pixels.channels());
  jpeg_set_defaults(&lib);
  jpeg_set_quality(&lib, 90, TRUE);
  jpeg_set_colorspace(&lib, pixels.channels() == 1 ? JCS_GRAYSCALE : style.stored);
  lib.comp_info[0].h_samp_factor = style.h_factor;
  lib.comp_info[0].v_samp_factor = style.v_factor;
  lib.restart_in_rows = static_cast<int>(style.restart_rows);
  lib.write_Adobe_marker = style.adobe ? TRUE : FALSE;
  if (style.progressive)
    jpeg_simple_progression(&lib);
  jpeg_start_compress(&lib, TRUE);
  if (style.orientation != 0)
    write_exif(lib, style);
  while (lib.next_scanline < lib.image_height) {
    auto* row = const_cast<unsigned char*>(pixels.ptr(static_cast<int>(lib.next_scanline)));
    jpeg_write_scanlines(&lib, &row, 1);
  }
  jpeg_finish_compress(&lib);
  file_bytes file(memory, memory + size);
  jpeg_destroy_compress(&lib);
  std::free(memory);
  return file;
}

/// A file as OpenCV writes it; `pixels` are RGB or grey.
[[nodiscard]] inline file_bytes opencv_file(const std::string& extension, const cv::Mat& pixels,
                                            const std::vector<int>& options = {}) {
  auto bgr = pixels.clone();
  if (pixels.channels() == 3)
    cv::cvtColor(pixels, bgr, cv::COLOR_RGB2BGR);
  else if (pixels.channels() == 4)
    cv::cvtColor(pixels, bgr, cv::COLOR_RGBA2BGRA);
  file_bytes file;
  if (!cv::imencode(extension, bgr, file, options))
    throw std::runtime_error("OpenCV cannot write " + extension);
  return file;
}

/// Bytes of a text.
[[nodiscard]] inline file_bytes file_of(std::string_view text) {
  return {text.begin(), text.end()};
}

/// The largest difference between two images; -1 if they are not of one size and type.
[[nodiscard]] inline double difference(const cv::Mat& a, const cv::Mat& b) {
  return a.size() == b.size() && a.type() == b.type() ? cv::norm(a, b, cv::NORM_INF) : -1;
}

} // namespace troupe
