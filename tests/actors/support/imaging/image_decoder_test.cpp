#include "actors/support/imaging/image_decoder.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"

#include <chrono>

#include "tests/support/doctest.hpp"

namespace {

using namespace troupe;
using namespace std::string_literals;

image_header header_of(const file_bytes& file) {
  const auto header = read_image_header(as_bytes(file));
  REQUIRE_MESSAGE(header, header.error().context);
  return *header;
}

cv::Mat decoded(image_decoder& decoder, const file_bytes& file) {
  const auto pixels = decoder.decode(as_bytes(file), header_of(file));
  REQUIRE_MESSAGE(pixels, pixels.error().context);
  return pixels->clone();
}

cv::Mat decoded(const file_bytes& file, const decode_config& config = {}) {
  image_decoder decoder{config};
  return decoded(decoder, file);
}

failure failure_of(const file_bytes& file) {
  image_decoder decoder;
  const auto pixels = decoder.decode(as_bytes(file), header_of(file));
  REQUIRE(!pixels);
  return pixels.error();
}

cv::Mat converted(const cv::Mat& from, int code) {
  cv::Mat to;
  cv::cvtColor(from, to, code);
  return to;
}

/// The image as it is looked at, by OpenCV's own means.
cv::Mat turned(const cv::Mat& stored, int orientation) {
  cv::Mat result = orientation >= 5 ? cv::Mat{stored.t()} : stored.clone();
  const bool flip_x = orientation == 2 || orientation == 3 || orientation == 6 || orientation == 7;
  const bool flip_y = orientation == 3 || orientation == 4 || orientation == 7 || orientation == 8;
  if (flip_x || flip_y)
    cv::flip(result, result, flip_x && flip_y ? -1 : flip_x ? 1 : 0);
  return result;
}

file_bytes oriented_jpeg(const cv::Mat& pixels, int orientation) {
  jpeg_style style;
  style.orientation = orientation;
  return jpeg_file(pixels, style);
}

} // namespace

TEST_SUITE("actors/support/imaging") {

  TEST_CASE("files without loss give back the pixels that were written, in RGB or grey") {
    const auto rgb = picture({61, 47});
    const auto grey = picture({61, 47}, 1);
    const auto rgba = picture({61, 47}, 4);
    for (const auto* extension : {".png", ".bmp", ".tiff", ".webp", ".ppm"}) {
      CAPTURE(extension);
      const bool webp = extension == ".webp"s;
      const std::vector<int> options = webp ? std::vector<int>{cv::IMWRITE_WEBP_QUALITY, 101} : std::vector<int>{};
      CHECK(difference(decoded(opencv_file(extension, rgb, options)), rgb) == 0);
      CHECK(
        difference(decoded(opencv_file(extension, rgb, options), {.channels = 1}), converted(rgb, cv::COLOR_RGB2GRAY))
        <= 1);
      if (extension == ".ppm"s)
        continue;
      CHECK(difference(decoded(opencv_file(extension, grey, options)), converted(grey, cv::COLOR_GRAY2RGB)) == 0);
      CHECK(difference(decoded(opencv_file(extension, grey, options), {.channels = 1}), grey) == 0);
      if (extension == ".bmp"s || extension == ".png"s || extension == ".tiff"s)
        CHECK(difference(decoded(opencv_file(extension, rgba, options)), converted(rgba, cv::COLOR_RGBA2RGB)) == 0);
    }
  }

  TEST_CASE("JPEG 2000 decodes to about the pixels that were written, which OpenCV does not store exactly") {
    const auto rgb = picture({61, 47});
    const auto grey = picture({61, 47}, 1);
    cv::Mat deep;
    rgb.convertTo(deep, CV_16U, 257);
    CHECK(cv::norm(decoded(opencv_file(".jp2", rgb)), rgb, cv::NORM_L1) / static_cast<double>(rgb.total()) < 20);
    CHECK(cv::norm(decoded(opencv_file(".jp2", deep)), rgb, cv::NORM_L1) / static_cast<double>(rgb.total()) < 20);
    CHECK(cv::norm(decoded(opencv_file(".jp2", grey), {.channels = 1}), grey, cv::NORM_L1)
            / static_cast<double>(grey.total())
          < 20);
    CHECK(decoded(opencv_file(".jp2", deep), {.bits = 16}).type() == CV_16UC3);
  }

  TEST_CASE("16 bits become 8 by rounding, or stay; 8 bits become 16 without a gap at white") {
    cv::Mat deep(40, 61, CV_16UC3);
    cv::RNG{3}.fill(deep, cv::RNG::UNIFORM, 0, 65536);
    cv::Mat rounded(deep.size(), CV_8UC3);
    for (int y = 0; y < deep.rows; ++y)
      for (int x = 0; x < deep.cols * 3; ++x)
        rounded.ptr(y)[x] = static_cast<unsigned char>((deep.ptr<std::uint16_t>(y)[x] + 128) / 257);
    cv::Mat widened;
    rounded.convertTo(widened, CV_16U, 257);
    for (const auto* extension : {".png", ".tiff", ".ppm"}) {
      CAPTURE(extension);
      CHECK(difference(decoded(opencv_file(extension, deep)), rounded) == 0);
      CHECK(difference(decoded(opencv_file(extension, deep), {.bits = 16}), deep) == 0);
      CHECK(difference(decoded(opencv_file(extension, rounded), {.bits = 16}), widened) == 0);
    }
    const auto jpeg = jpeg_file(rounded);
    decoded(jpeg).convertTo(widened, CV_16U, 257);
    CHECK(difference(decoded(jpeg, {.bits = 16}), widened) == 0);
  }

  TEST_CASE("bitmaps are black and white") {
    const cv::Mat bitmap = picture({61, 47}, 1) > 120;
    CHECK(difference(decoded(opencv_file(".png", bitmap, {cv::IMWRITE_PNG_BILEVEL, 1}), {.channels = 1}), bitmap) == 0);
    CHECK(difference(decoded(opencv_file(".pbm", bitmap), {.channels = 1}), bitmap) == 0);
    const auto text = decoded(file_of("P1 # one is black\n3 1\n1 0 1\n"), {.channels = 1});
    CHECK(difference(text, cv::Mat(cv::Matx<unsigned char, 1, 3>{0, 255, 0})) == 0);
  }

  TEST_CASE("PNM values are spread over the whole range") {
    const auto expected = cv::Mat(cv::Matx<unsigned char, 1, 3>{0, 128, 255});
    CHECK(difference(decoded(file_of("P5 3 1 2\n\x00\x01\x02"s), {.channels = 1}), expected) <= 1);
    CHECK(difference(decoded(file_of("P2 3 1 2\n0 1 2\n"), {.channels = 1}), expected) <= 1);
    CHECK(difference(decoded(file_of("P5 3 1 1022\n\x00\x00\x01\xff\x03\xfe"s), {.channels = 1}), expected) <= 1);
  }

  TEST_CASE("photos are turned as their orientation says, or left as they are stored") {
    const auto pixels = picture({61, 47});
    const auto stored = decoded(oriented_jpeg(pixels, 1));
    for (int orientation = 1; orientation <= 8; ++orientation) {
      const auto file = oriented_jpeg(pixels, orientation);
      CHECK(difference(decoded(file), turned(stored, orientation)) == 0);
      CHECK(difference(decoded(file, {.apply_orientation = false}), stored) == 0);
    }
  }

  TEST_CASE("two photos of one view, stored upright and lying, decode to equal pixels") {
    // Smooth and without subsampling, so that what JPEG loses is about the same.
    cv::Mat view;
    cv::GaussianBlur(picture({64, 48}), view, {9, 9}, 3);
    jpeg_style style{.h_factor = 1, .v_factor = 1, .orientation = 1};
    const auto upright = decoded(jpeg_file(view, style));
    style.orientation = 6;
    const auto lying = decoded(jpeg_file(turned(view, 8), style));
    CHECK(lying.size() == upright.size());
    CHECK(difference(lying, upright) <= 12);
  }

  TEST_CASE("a region is that part of the whole image, whatever the format and the orientation") {
    const auto pixels = picture({61, 47});
    image_decoder decoder;
    for (int orientation = 0; orientation <= 8; ++orientation) {
      CAPTURE(orientation);
      const auto file = orientation == 0 ? opencv_file(".png", pixels) : oriented_jpeg(pixels, orientation);
      const auto whole = decoded(decoder, file);
      const cv::Rect region{11, 7, 30, 25};
      const auto part = decoder.decode_region(as_bytes(file), header_of(file), region, region.size());
      REQUIRE(part);
      CHECK(part->region == cv::Rect2d(0, 0, 30, 25));
      CHECK(difference(part->pixels, whole(region)) == 0);
    }
  }

  TEST_CASE("a JPEG comes at the smallest scale that is not too small for the target") {
    const auto file = jpeg_file(picture({400, 320}));
    image_decoder decoder;
    image_decoder unscaled{{.scaled_jpeg = false}};
    const auto size_at = [&](image_decoder& with, cv::Size target) {
      return with.decode_region(as_bytes(file), header_of(file), {0, 0, 400, 320}, target)->pixels.size();
    };
    CHECK(size_at(decoder, {400, 320}) == cv::Size{400, 320});
    CHECK(size_at(decoder, {201, 1}) == cv::Size{400, 320});
    CHECK(size_at(decoder, {200, 160}) == cv::Size{200, 160});
    CHECK(size_at(decoder, {101, 80}) == cv::Size{200, 160});
    CHECK(size_at(decoder, {100, 80}) == cv::Size{100, 80});
    CHECK(size_at(decoder, {50, 40}) == cv::Size{50, 40});
    CHECK(size_at(decoder, {1, 1}) == cv::Size{50, 40});
    CHECK(size_at(unscaled, {1, 1}) == cv::Size{400, 320});
    CHECK(decoder.decode(as_bytes(file), header_of(file))->size() == cv::Size{400, 320});
  }

  TEST_CASE("the region of a scaled JPEG lies at the place that its scale gives, in every orientation") {
    const auto pixels = picture({203, 157});
    image_decoder decoder;
    for (int orientation = 1; orientation <= 8; ++orientation) {
      CAPTURE(orientation);
      const auto file = oriented_jpeg(pixels, orientation);
      const auto header = header_of(file);
      const cv::Rect region{13, 22, 101, 90};
      const auto whole = decoder.decode_region(as_bytes(file), header, {{}, header.oriented_size()}, {39, 39});
      REQUIRE(whole);
      const auto all = whole->pixels.clone();
      const auto part = decoder.decode_region(as_bytes(file), header, region, {25, 22});
      REQUIRE(part);
      CHECK(part->region.size() == cv::Size2d(101 / 4.0, 90 / 4.0));
      CHECK((part->region & cv::Rect2d({}, cv::Size2d(part->pixels.size()))) == part->region);
      const auto at = whole->region.tl() + cv::Point2d(region.tl()) / 4.0 - part->region.tl();
      CHECK(at == cv::Point2d(cv::Point(at)));
      CHECK(difference(part->pixels, all({cv::Point(at), part->pixels.size()})) == 0);
    }
  }

  TEST_CASE("an image that claims too much is refused before anything is decoded") {
    image_decoder decoder;
    auto bomb = opencv_file(".png", cv::Mat::zeros(8, 8, CV_8U), {cv::IMWRITE_PNG_BILEVEL, 1});
    for (const std::size_t at : {16, 20}) {
      bomb[at + 2] = 30000 >> 8;
      bomb[at + 3] = 30000 & 255;
    }
    bomb.resize(3000);
    const auto begin = std::chrono::steady_clock::now();
    const auto refused = failure_of(bomb);
    CHECK(std::chrono::steady_clock::now() - begin < std::chrono::milliseconds(20));
    CHECK(refused.code == ec::bad_data);
    CHECK(refused.context == "claims 30000x30000 = 900 million pixels in a file of 3 kB, expected at most 100 million");
    const image_header thin{.format = image_format::png, .width = 4000, .height = 5000};
    CHECK(decoder.check_limits(thin, 1000));
    CHECK(decoder.check_limits(thin, 999).error().context
          == "claims 4000x5000 = 20 million pixels in a file of 999 bytes, expected at most 20000 per byte");
  }

  TEST_CASE("files that are cut off are corrupt, whatever the format") {
    for (const auto* extension : {".jpg", ".png", ".bmp", ".tiff", ".webp", ".ppm", ".jp2"}) {
      CAPTURE(extension);
      const auto file = opencv_file(extension, picture({61, 47}));
      for (const std::size_t cut : {std::size_t{4}, file.size() / 10, file.size() / 2}) {
        const file_bytes part(file.begin(), file.end() - static_cast<std::ptrdiff_t>(cut));
        const auto header = read_image_header(as_bytes(part));
        if (!header) {
          CHECK(header.error().code == ec::corrupt); // TIFF: the tags stand at the end.
          continue;
        }
        CHECK(failure_of(part).code == ec::corrupt);
      }
    }
  }

  TEST_CASE("damaged data are corrupt, and the text names the format") {
    auto file = opencv_file(".png", picture({61, 47}));
    file[file.size() / 2] ^= 0xff;
    CHECK(failure_of(file).context
          == "cannot be decoded (PNG): OpenCV's decoder finds its data damaged, or of an unknown kind");
  }

  TEST_CASE("pixels that are no integers are unsupported") {
    cv::Mat floats;
    picture({61, 47}).convertTo(floats, CV_32F, 1 / 255.0);
    CHECK(failure_of(opencv_file(".tiff", floats)).code == ec::unsupported);
  }
}
