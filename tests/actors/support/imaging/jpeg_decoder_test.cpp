#include "actors/support/imaging/codecs/jpeg_decoder.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;

struct named_style {
  const char* name;
  int channels;
  jpeg_style style;
};

/// Everything that libjpeg-turbo decodes by different code.
const named_style styles[] = {
  {"4:4:4", 3, {.h_factor = 1, .v_factor = 1}},
  {"4:2:2", 3, {.h_factor = 2, .v_factor = 1}},
  {"4:4:0", 3, {.h_factor = 1, .v_factor = 2}},
  {"4:2:0", 3, {.h_factor = 2, .v_factor = 2}},
  {"4:1:1", 3, {.h_factor = 4, .v_factor = 1}},
  {"4:2:0 with restart markers", 3, {.h_factor = 2, .v_factor = 2, .restart_rows = 1}},
  {"grey", 1, {.h_factor = 1, .v_factor = 1}},
  {"grey with factors", 1, {.h_factor = 2, .v_factor = 2}},
  {"RGB", 3, {.h_factor = 1, .v_factor = 1, .adobe = true, .stored = JCS_RGB}},
  {"progressive", 3, {.h_factor = 2, .v_factor = 2, .progressive = true}},
  {"CMYK", 4, {.h_factor = 1, .v_factor = 1, .adobe = true, .stored = JCS_CMYK}},
  {"YCCK", 4, {.h_factor = 2, .v_factor = 2, .adobe = true, .stored = JCS_YCCK}},
};

cv::Size scaled(cv::Size size, int eighths) {
  return {(size.width * eighths + 7) / 8, (size.height * eighths + 7) / 8};
}

cv::Mat whole(jpeg_decoder& decoder, const file_bytes& file, cv::Size size, int eighths = 8, bool grey = false) {
  const auto found = decoder.decode(as_bytes(file), {eighths, {{}, scaled(size, eighths)}, grey});
  REQUIRE_MESSAGE(found, found.error().context);
  return found->clone();
}

cv::Rect random_rect(cv::RNG& random, cv::Size inside) {
  const int x = random.uniform(0, inside.width);
  const int y = random.uniform(0, inside.height);
  return {x, y, random.uniform(1, inside.width - x + 1), random.uniform(1, inside.height - y + 1)};
}

/// RGB of inks, 255 meaning no ink, as PIL computes it.
cv::Mat printed(const cv::Mat& inks) {
  cv::Mat rgb(inks.size(), CV_8UC3);
  for (int y = 0; y < inks.rows; ++y)
    for (int x = 0; x < inks.cols; ++x)
      for (int c = 0; c < 3; ++c) {
        const auto& ink = inks.at<cv::Vec4b>(y, x);
        rgb.at<cv::Vec3b>(y, x)[c] = cv::saturate_cast<unsigned char>(ink[c] * ink[3] / 255.0);
      }
  return rgb;
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("a JPEG decodes to the pixels that OpenCV's decoder has, in RGB") {
    jpeg_decoder decoder;
    for (const auto& [name, channels, style] : styles) {
      if (channels == 4)
        continue;
      CAPTURE(name);
      const cv::Size size{101, 67};
      const auto file = jpeg_file(picture(size, channels), style);
      cv::Mat expected;
      cv::cvtColor(cv::imdecode(file, cv::IMREAD_COLOR), expected, cv::COLOR_BGR2RGB);
      CHECK(difference(whole(decoder, file, size), expected) == 0);
      CHECK(whole(decoder, file, size, 8, true).channels() == 1);
    }
  }

  TEST_CASE("a window of a JPEG has the very pixels of the whole, at every scale") {
    jpeg_decoder decoder;
    cv::RNG random{7};
    for (const auto& [name, channels, style] : styles)
      for (const cv::Size size : {cv::Size{101, 67}, cv::Size{160, 48}, cv::Size{33, 130}})
        for (const int eighths : {8, 4, 2, 1}) {
          const bool grey = random.uniform(0, 4) == 0;
          const auto file = jpeg_file(picture(size, channels), style);
          const auto all = whole(decoder, file, size, eighths, grey);
          for (int i = 0; i < 40; ++i) {
            const auto rect = random_rect(random, all.size());
            CAPTURE(name);
            CAPTURE(eighths);
            CAPTURE(rect.x);
            CAPTURE(rect.y);
            CAPTURE(rect.width);
            CAPTURE(rect.height);
            const auto part = decoder.decode(as_bytes(file), {eighths, rect, grey});
            REQUIRE_MESSAGE(part, part.error().context);
            REQUIRE(difference(*part, all(rect)) == 0);
          }
        }
  }

  TEST_CASE("inks become the colours that they print, stored inverted by Adobe's programs or not") {
    jpeg_decoder decoder;
    const cv::Size size{64, 48};
    const auto inks = picture(size, 4);
    const jpeg_style inverted{.h_factor = 1, .v_factor = 1, .adobe = true, .stored = JCS_CMYK};
    const auto expected = printed(inks);
    CHECK(difference(whole(decoder, jpeg_file(inks, inverted), size), expected) < 24);
    auto ycck = inverted;
    ycck.stored = JCS_YCCK;
    CHECK(difference(whole(decoder, jpeg_file(inks, ycck), size), expected) < 24);
    auto plain = inverted;
    plain.adobe = false;
    CHECK(difference(whole(decoder, jpeg_file(cv::Scalar::all(255) - inks, plain), size), expected) < 24);
    const auto grey = whole(decoder, jpeg_file(inks, inverted), size, 8, true);
    CHECK(grey.type() == CV_8UC1);
  }

  TEST_CASE("a JPEG that is cut off is corrupt, however small the window") {
    jpeg_decoder decoder;
    const cv::Size size{200, 150};
    for (const bool progressive : {false, true}) {
      jpeg_style style;
      style.progressive = progressive;
      style.orientation = 1;
      const auto file = jpeg_file(picture(size), style);
      for (std::size_t cut = 1; cut < file.size() * 6 / 10; cut += cut < 8 ? 1 : 97) {
        CAPTURE(cut);
        const file_bytes part(file.begin(), file.end() - static_cast<std::ptrdiff_t>(cut));
        for (const cv::Rect rect : {cv::Rect{0, 0, 200, 150}, cv::Rect{0, 0, 1, 1}}) {
          const auto found = decoder.decode(as_bytes(part), {8, rect, false});
          REQUIRE(!found);
          REQUIRE(found.error().code == ec::corrupt);
        }
      }
    }
  }

  TEST_CASE("a JPEG whose rest was never written, and is zero, is corrupt") {
    jpeg_decoder decoder;
    auto file = jpeg_file(picture({200, 150}));
    std::fill(file.end() - static_cast<std::ptrdiff_t>(file.size() / 4), file.end(), std::uint8_t{0});
    CHECK(!decoder.decode(as_bytes(file), {8, {0, 0, 8, 8}, false}));
  }

  TEST_CASE("data that follow the end of a JPEG do not matter") {
    jpeg_decoder decoder;
    const auto file = jpeg_file(picture({200, 150}));
    for (const auto& tail : {file_bytes(1000, 0), jpeg_file(picture({20, 20})), file_of("made by a phone")}) {
      auto longer = file;
      longer.insert(longer.end(), tail.begin(), tail.end());
      CHECK(difference(whole(decoder, longer, {200, 150}), whole(decoder, file, {200, 150})) == 0);
    }
  }

  TEST_CASE("damage is reported in libjpeg's words, and the decoder goes on with the next file") {
    jpeg_decoder decoder;
    const auto good = jpeg_file(picture({200, 150}), {.restart_rows = 1});
    auto bad = good;
    bad[bad.size() / 2] = 0xff; // A marker where none can be.
    bad[bad.size() / 2 + 1] = 0xd9;
    const auto found = decoder.decode(as_bytes(bad), {8, {0, 0, 200, 150}, false});
    REQUIRE(!found);
    CHECK(found.error().code == ec::corrupt);
    CHECK(found.error().context == "cannot be decoded (JPEG): Corrupt JPEG data: premature end of data segment");
    CHECK(whole(decoder, good, {200, 150}).size() == cv::Size{200, 150});
  }

  TEST_CASE("a JPEG of 12 bits is unsupported, not corrupt") {
    jpeg_decoder decoder;
    auto file = jpeg_file(picture({16, 16}));
    for (std::size_t i = 0; i + 4 < file.size(); ++i)
      if (file[i] == 0xff && file[i + 1] == 0xc0)
        file[i + 4] = 12;
    const auto found = decoder.decode(as_bytes(file), {8, {0, 0, 16, 16}, false});
    REQUIRE(!found);
    CHECK(found.error().code == ec::unsupported);
  }
}
