#include "actors/support/imaging/image_header.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include <algorithm>
#include <string_view>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;
using namespace std::string_literals;

image_header header_of(const file_bytes& file) {
  const auto header = read_image_header(as_bytes(file));
  REQUIRE_MESSAGE(header, header.error().context);
  return *header;
}

failure failure_of(const std::string& file) {
  const auto bytes = file_of(file);
  const auto header = read_image_header(as_bytes(bytes));
  REQUIRE(!header);
  return header.error();
}

/// "JPEG 37x23, 3 x 8 bits, 1"
std::string text_of(const image_header& x) {
  return std::string{name_of(x.format)} + " " + std::to_string(x.width) + "x" + std::to_string(x.height) + ", "
         + std::to_string(x.channels) + " x " + std::to_string(x.bits) + " bits, " + std::to_string(x.orientation);
}

std::string text_of(const file_bytes& file) {
  return text_of(header_of(file));
}

file_bytes with_part(file_bytes file, std::size_t at, const std::string& part) {
  file.insert(file.begin() + static_cast<std::ptrdiff_t>(at), part.begin(), part.end());
  return file;
}

std::string little32(std::size_t value) {
  std::string text;
  for (int shift = 0; shift < 32; shift += 8)
    text += static_cast<char>(value >> shift & 0xff);
  return text;
}

/// A PNG chunk with any checksum.
std::string png_chunk(const std::string& name, const std::string& content) {
  const auto length = little32(content.size());
  return std::string{length.rbegin(), length.rend()} + name + content + "\0\0\0\0"s;
}

/// A BMP of 24 bits up to where its pixels begin.
std::string bmp_header(std::uint32_t width, std::uint32_t height) {
  return "BM"s + std::string(8, '\0') + little32(54) + little32(40) + little32(width) + little32(height)
         + "\x01\0\x18\0"s + std::string(24, '\0');
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("headers of all formats say what OpenCV has written") {
    const cv::Size size{37, 23};
    const auto rgb = picture(size);
    const auto grey = picture(size, 1);
    cv::Mat deep;
    rgb.convertTo(deep, CV_16U, 257);
    CHECK(text_of(jpeg_file(rgb)) == "JPEG 37x23, 3 x 8 bits, 1");
    CHECK(text_of(jpeg_file(grey)) == "JPEG 37x23, 1 x 8 bits, 1");
    CHECK(text_of(jpeg_file(picture(size, 4), {.h_factor = 1, .v_factor = 1, .stored = JCS_CMYK}))
          == "JPEG 37x23, 4 x 8 bits, 1");
    CHECK(text_of(jpeg_file(rgb, {.progressive = true})) == "JPEG 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".png", rgb)) == "PNG 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".png", deep)) == "PNG 37x23, 3 x 16 bits, 1");
    CHECK(text_of(opencv_file(".png", picture(size, 4))) == "PNG 37x23, 4 x 8 bits, 1");
    CHECK(text_of(opencv_file(".png", grey > 99, {cv::IMWRITE_PNG_BILEVEL, 1})) == "PNG 37x23, 1 x 1 bits, 1");
    CHECK(text_of(opencv_file(".bmp", rgb)) == "BMP 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".bmp", grey)) == "BMP 37x23, 1 x 8 bits, 1");
    CHECK(text_of(opencv_file(".webp", rgb)) == "WebP 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".webp", rgb, {cv::IMWRITE_WEBP_QUALITY, 101})) == "WebP 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".tiff", rgb)) == "TIFF 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".tiff", deep)) == "TIFF 37x23, 3 x 16 bits, 1");
    CHECK(text_of(opencv_file(".jp2", picture({61, 47}))) == "JPEG 2000 61x47, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".ppm", rgb)) == "PNM 37x23, 3 x 8 bits, 1");
    CHECK(text_of(opencv_file(".pgm", grey)) == "PNM 37x23, 1 x 8 bits, 1");
  }

  TEST_CASE("a raw codestream is JPEG 2000 as well") {
    const auto file = opencv_file(".jp2", picture({61, 47}));
    const auto soc = file_of("\xff\x4f\xff\x51");
    const auto start = std::search(file.begin(), file.end(), soc.begin(), soc.end());
    CHECK(text_of(file_bytes(start, file.end())) == "JPEG 2000 61x47, 3 x 8 bits, 1");
  }

  TEST_CASE("the orientation is found in EXIF data of both byte orders") {
    for (const char order : {'M', 'I'})
      for (int orientation = 1; orientation <= 8; ++orientation) {
        jpeg_style style;
        style.orientation = orientation;
        style.byte_order = order;
        const auto header = header_of(jpeg_file(picture({37, 23}), style));
        CHECK(header.orientation == orientation);
        CHECK(header.oriented_size() == (orientation >= 5 ? cv::Size{23, 37} : cv::Size{37, 23}));
      }
  }

  TEST_CASE("the orientation is found in PNG, WebP and TIFF files") {
    const auto png = with_part(opencv_file(".png", picture({37, 23})), 33, png_chunk("eXIf", exif_data(6)));
    CHECK(header_of(png).orientation == 6);
    const auto exif = exif_data(8, 'I');
    const auto webp = "RIFF"s + little32(30 + exif.size()) + "WEBPVP8X\x0a\0\0\0\x08\0\0\0\x24\0\0\x16\0\0"s + "EXIF"
                      + little32(exif.size()) + exif;
    CHECK(text_of(file_of(webp)) == "WebP 37x23, 3 x 8 bits, 8");
    const auto tiff = "MM\0*\0\0\0\x08\0\x03\x01\0\0\x03\0\0\0\x01\0\x25\0\0\x01\x01\0\x03\0\0\0\x01\0\x17\0\0"
                      "\x01\x12\0\x03\0\0\0\x01\0\x03\0\0\0\0\0\0"s;
    CHECK(text_of(file_of(tiff)) == "TIFF 37x23, 1 x 1 bits, 3");
  }

  TEST_CASE("EXIF data that are damaged, or an orientation that there is not, mean as stored") {
    jpeg_style style;
    style.orientation = 9;
    CHECK(header_of(jpeg_file(picture({37, 23}), style)).orientation == 1);
    style.orientation = 6;
    const auto file = jpeg_file(picture({37, 23}), style);
    const auto name = file_of("Exif");
    const auto exif = std::search(file.begin(), file.end(), name.begin(), name.end()) - file.begin() + 6;
    for (const std::ptrdiff_t i : {0, 1, 2, 3, 4, 5, 6, 7, 10, 11, 12, 13}) { // Byte order, mark, offset, tag, type.
      auto bad = file;
      bad[static_cast<std::size_t>(exif + i)] ^= 0x80;
      CHECK(header_of(bad).orientation == 1);
    }
  }

  TEST_CASE("BMP files may come from top to bottom, and from OS/2") {
    CHECK(text_of(file_of(bmp_header(37, 23))) == "BMP 37x23, 3 x 8 bits, 1");
    CHECK(text_of(file_of(bmp_header(37, 0u - 23))) == "BMP 37x23, 3 x 8 bits, 1");
    const auto os2 = "BM"s + std::string(8, '\0') + little32(26) + little32(12) + "\x25\0\x17\0\x01\0\x04\0"s;
    CHECK(text_of(file_of(os2)) == "BMP 37x23, 1 x 4 bits, 1");
  }

  TEST_CASE("PNM headers may hold comments") {
    CHECK(text_of(file_of("P6\n# by hand\n 37 # wide\n23\n65535\n")) == "PNM 37x23, 3 x 16 bits, 1");
    CHECK(text_of(file_of("P1 37 23\n")) == "PNM 37x23, 1 x 1 bits, 1");
    CHECK(text_of(file_of("P5 37 23 1023 ")) == "PNM 37x23, 1 x 10 bits, 1");
  }

  TEST_CASE("content that is no image is unsupported, and the text shows how it starts") {
    CHECK(failure_of("").context == "content is empty, expected JPEG, PNG, BMP, WebP, TIFF, JPEG 2000 or PNM");
    const auto gif = failure_of("GIF89a");
    CHECK(gif.code == ec::unsupported);
    CHECK(gif.context
          == "content starts with the bytes 47 49 46 38 39 61 (GIF), expected JPEG, PNG, BMP, WebP, TIFF, JPEG 2000 or "
             "PNM");
    CHECK(failure_of("P7\nWIDTH 3\n").code == ec::unsupported);
    CHECK(failure_of("<html>").code == ec::unsupported);
    CHECK(failure_of("RIFF\x20\0\0\0WEBPVP8X\x0a\0\0\0\x02\0\0\0\x24\0\0\x16\0\0"s).code == ec::unsupported);
  }

  TEST_CASE("headers that are cut off or claim an empty image are corrupt") {
    for (const auto* extension : {".jpg", ".png", ".bmp", ".webp", ".tiff", ".jp2"}) {
      CAPTURE(extension);
      const auto file = opencv_file(extension, picture({61, 47}));
      const file_bytes head(file.begin(), file.begin() + 13);
      const auto header = read_image_header(as_bytes(head));
      REQUIRE(!header);
      CHECK(header.error().code == ec::corrupt);
    }
    CHECK(failure_of("P6\n37 23\n").code == ec::corrupt);
    CHECK(failure_of("P5 0 23 255\n").code == ec::corrupt);
    CHECK(failure_of("P5 37 99999999999 255\n").code == ec::corrupt);
    CHECK(failure_of(bmp_header(0, 5)).code == ec::corrupt);
    CHECK(failure_of(bmp_header(5, 0x80000000)).code == ec::corrupt);
  }
}
