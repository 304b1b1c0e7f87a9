#include "actors/support/components/component_registry.hpp"
#include "actors/support/imaging/image_decoder.hpp"
#include "actors/support/imaging/image_probe.hpp"
#include "actors/support/imaging/plugin_decoders.hpp"

#include "tests/actors/support/imaging/sample_images.hpp"
#include "tests/support/plugin_failure_log.hpp"

#include <array>
#include <cstring>
#include <string>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// "TST0", channels, bits, height, width, a letter that says what is to go wrong, then the pixels.
class tested_decoder final : public sample_decoder {
public:
  [[nodiscard]] std::vector<std::string> extensions() const override { return {"tst", "jpg"}; }

  [[nodiscard]] bool recognises(std::span<const std::byte> bytes) const override {
    if (bytes.size() > 8 && letter(bytes) == 'r')
      throw_as("own");
    return bytes.size() > 8 && std::memcmp(bytes.data(), "TST0", 4) == 0;
  }

  [[nodiscard]] image_shape shape(std::span<const std::byte> bytes) const override {
    if (letter(bytes) == 's')
      throw_as("number");
    return {at(bytes, 4), at(bytes, 6), at(bytes, 7), at(bytes, 5)};
  }

  void decode(std::span<const std::byte> bytes, cv::Mat& image) const override {
    switch (letter(bytes)) {
    case 'd':
      throw_as("error");
      break;
    case 'e':
      image = cv::Mat::zeros(1, 1, CV_8UC1);
      break;
    case 'a':
      image = image.clone();
      [[fallthrough]];
    default:
      std::memcpy(image.data, bytes.data() + 9, bytes.size() - 9);
    }
  }

private:
  static int at(std::span<const std::byte> bytes, std::size_t i) { return std::to_integer<int>(bytes[i]); }
  static char letter(std::span<const std::byte> bytes) { return static_cast<char>(at(bytes, 8)); }
};

/// Recognises nothing; says by its parameters whether it can be made.
class idle_decoder final : public sample_decoder {
public:
  [[nodiscard]] std::vector<std::string> extensions() const override { throw own_trouble{}; }
  [[nodiscard]] bool recognises(std::span<const std::byte>) const override { return false; }
  [[nodiscard]] image_shape shape(std::span<const std::byte>) const override { return {}; }
  void decode(std::span<const std::byte>, cv::Mat&) const override {}
};

int num_made = 0;

// Before the first question for extensions, which may be that of any test.
const bool registered = [] {
  auto& decoders = component_registry::instance().decoders;
  decoders.push_back({{"idle_format", "", {param::text("trouble", "", "")}, "tested"}, [](const parameters& values) {
                        throw_as(values.text("trouble"));
                        return std::make_unique<idle_decoder>();
                      }});
  decoders.push_back({{"tested_format", "", {}, "tested"}, [](const parameters&) {
                        ++num_made;
                        return std::make_unique<tested_decoder>();
                      }});
  return true;
}();

file_bytes file_like(const cv::Mat& pixels, char letter = '.') {
  const auto bits = pixels.depth() == CV_16U ? 16 : 8;
  file_bytes file{'T', 'S', 'T', '0'};
  for (const int x : {pixels.channels(), bits, pixels.rows, pixels.cols, static_cast<int>(letter)})
    file.push_back(static_cast<unsigned char>(x));
  file.insert(file.end(), pixels.data, pixels.data + pixels.total() * pixels.elemSize());
  return file;
}

expected<cv::Mat> decoded(image_decoder& decoder, const file_bytes& file) {
  const auto header = decoder.read_header(as_bytes(file));
  if (!header)
    return header.error();
  return decoder.decode(as_bytes(file), *header);
}

cv::Mat pixels_of(const file_bytes& file, const decode_config& config) {
  image_decoder decoder(config);
  const auto pixels = decoded(decoder, file);
  REQUIRE_MESSAGE(pixels, (pixels ? "" : pixels.error().context));
  return pixels->clone();
}

failure failure_of(image_decoder& decoder, const file_bytes& file) {
  const auto pixels = decoded(decoder, file);
  REQUIRE_FALSE(pixels);
  return pixels.error();
}

cv::Mat converted(const cv::Mat& from, int type, double factor) {
  cv::Mat to;
  from.convertTo(to, type, factor);
  return to;
}

const cv::Mat colours = picture({12, 9});
const cv::Mat grey = picture({12, 9}, 1);

} // namespace

TEST_SUITE("actors/support/imaging") {
  TEST_CASE("a file that a plugin's decoder recognises has the header and the pixels that it says") {
    image_decoder decoder;
    const auto file = file_like(colours);
    const auto header = decoder.read_header(as_bytes(file));
    REQUIRE(header);
    CHECK(name_of(header->format) == "tested_format");
    CHECK(header->width == 12);
    CHECK(header->height == 9);
    CHECK(header->channels == 3);
    CHECK(header->bits == 8);
    for (const char letter : {'.', 'a'})
      CHECK(difference(pixels_of(file_like(colours, letter), {}), colours) == 0);
  }

  TEST_CASE("files of other formats are decoded as ever") {
    image_decoder decoder;
    const auto file = opencv_file(".png", colours);
    const auto header = decoder.read_header(as_bytes(file));
    REQUIRE(header);
    CHECK(header->format == image_format::png);
    CHECK(difference(pixels_of(file, {}), colours) == 0);
    CHECK(failure_of(decoder, file_of("no image")).code == ec::unsupported);
  }

  TEST_CASE("a plugin's pixels get the channels and bits that are wanted") {
    cv::Mat spread, shrunk;
    cv::cvtColor(grey, spread, cv::COLOR_GRAY2RGB);
    cv::cvtColor(colours, shrunk, cv::COLOR_RGB2GRAY);
    CHECK(difference(pixels_of(file_like(grey), {}), spread) == 0);
    CHECK(difference(pixels_of(file_like(colours), {.channels = 1}), shrunk) == 0);
    CHECK(difference(pixels_of(file_like(grey), {.channels = 1, .bits = 16}), converted(grey, CV_16U, 257)) == 0);
    const auto deep = converted(colours, CV_16U, 257);
    CHECK(difference(pixels_of(file_like(deep), {}), colours) == 0);
    CHECK(difference(pixels_of(file_like(deep), {.bits = 16}), deep) == 0);
  }

  TEST_CASE("a region of a plugin's image is cut out of the whole") {
    image_decoder decoder;
    const auto file = file_like(colours);
    const auto header = decoder.read_header(as_bytes(file));
    REQUIRE(header);
    const cv::Rect region(3, 2, 5, 4);
    const auto found = decoder.decode_region(as_bytes(file), *header, region, {2, 2});
    REQUIRE(found);
    CHECK(difference(found->pixels(cv::Rect(found->region)), colours(region)) == 0);
  }

  TEST_CASE("limits count for plugins' files, too") {
    image_decoder decoder({.max_pixels = 107});
    CHECK(failure_of(decoder, file_like(colours)).code == ec::bad_data);
  }

  TEST_CASE("whatever a decoder throws, and an image that is not what it said, is the sample's failure") {
    plugin_failure_log log;
    image_decoder decoder;
    for (const char letter : {'r', 's', 'd', 'e'}) {
      const auto why = failure_of(decoder, file_like(colours, letter));
      CHECK(why.code == ec::plugin_failed);
      CHECK(why.context.find("tested_format") != std::string::npos);
    }
    auto odd = file_like(colours);
    odd[4] = 2;
    CHECK(failure_of(decoder, odd).context.find("2x9x12") != std::string::npos);
    odd = file_like(colours);
    odd[6] = 0;
    CHECK(failure_of(decoder, odd).code == ec::plugin_failed);
    CHECK(log.all().size() == 6);
    CHECK(difference(pixels_of(file_like(colours), {}), colours) == 0);
  }

  TEST_CASE("a disabled decoder is as good as none") {
    plugin_failure_log log(plugin_policy::disable);
    image_decoder decoder;
    CHECK(failure_of(decoder, file_like(colours, 'd')).code == ec::plugin_failed);
    CHECK(failure_of(decoder, file_like(colours)).code == ec::unsupported);
    CHECK(log.all().size() == 1);
  }

  TEST_CASE("decoders that cannot be made, or that nobody has brought, are a bad config") {
    for (const std::string word : {"error", "number", "own"}) {
      parameters values;
      values.set("trouble", word);
      const std::vector<component_use> formats{{"idle_format", values}};
      const auto made = plugin_decoders::make(formats);
      REQUIRE_FALSE(made);
      CHECK(made.error().code == ec::bad_config);
      CHECK(made.error().context.find("idle_format") != std::string::npos);
      image_decoder decoder({.formats = formats});
      CHECK(failure_of(decoder, file_like(colours)).code == ec::bad_config);
    }
    const auto unknown = plugin_decoders::make({{"heic", {}}});
    REQUIRE_FALSE(unknown);
    CHECK(unknown.error().context.find("\"heic\"") != std::string::npos);
  }

  TEST_CASE("threads share decoders that were made once, and get the same") {
    const auto before = num_made;
    auto shared = plugin_decoders::make({});
    REQUIRE(shared);
    std::array<double, 8> differences{};
    std::vector<std::thread> threads;
    for (auto& each : differences)
      threads.emplace_back([&each, &shared] {
        image_decoder decoder({}, *shared);
        for (int i = 0; i < 50; ++i) {
          const auto pixels = decoded(decoder, file_like(colours));
          each += pixels ? difference(*pixels, colours) : 1000;
        }
      });
    for (auto& each : threads)
      each.join();
    CHECK(differences == std::array<double, 8>{});
    CHECK(num_made == before + 1);
  }

  TEST_CASE("extensions promise plugins' formats, unless they are those of others; a decoder that throws has none") {
    CHECK(name_of(promised_format("a/b.TST")) == "tested_format");
    CHECK(promised_format("a/b.jpg") == image_format::jpeg);
    CHECK(promised_format("a/b.tst0") == image_format::unknown);
  }

  TEST_CASE("a probe tells of a plugin's image") {
    const auto file = file_like(grey);
    encoded_sample sample;
    sample.format = sample_format::image_file;
    sample.bytes = as_bytes(file);
    const auto found = image_prober({}).probe(sample);
    REQUIRE(found);
    CHECK(name_of(found->facts.format) == "tested_format");
    CHECK(found->facts.channels == 1);
    CHECK(found->facts.width == 12);
  }
}
