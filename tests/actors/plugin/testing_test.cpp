#include "actors/plugin/testing.hpp"

#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A transform that is a function.
class function_transform final : public sample_transform {
public:
  using function = void (*)(cv::Mat&, transform_context&);
  function_transform(image_shape promised, function f) : promised_(promised), f_(f) {}
  [[nodiscard]] image_shape output_shape() const override { return promised_; }
  void apply(cv::Mat& image, transform_context& context) const override { f_(image, context); }

private:
  image_shape promised_;
  function f_;
};

const image_shape shape{1, 6, 8};
const cv::Mat grey(6, 8, CV_8UC1, cv::Scalar::all(100));

const parameter_list list{param::number("clip", 2, 0.5, 10, ""), param::whole("tiles", 8, 1, 64, ""),
                          param::choice("mode", "mean", {"mean", "max"}, ""), param::numbers("bands", {0.5}, 0, 1, "")};

void add_noise(cv::Mat& image, transform_context& context) {
  image.data[context.rng.below(48)] ^= 1;
}

} // namespace

TEST_SUITE_BEGIN("actors/plugin");

TEST_CASE("settings are defaults with what is given in their place; whole numbers are numbers") {
  const auto values = values_of(list, {{"clip", 3}, {"mode", "max"}, {"bands", std::vector<double>{0, 1}}});
  CHECK(values.number("clip") == 3);
  CHECK(values.whole("tiles") == 8);
  CHECK(values.text("mode") == "max");
  CHECK(values.numbers("bands").size() == 2);
}

TEST_CASE("settings that a config could not give are refused") {
  for (const auto& [name, value] : settings{{"clop", 3},
                                            {"clip", 11},
                                            {"clip", 0.1},
                                            {"clip", "high"},
                                            {"tiles", 1.5},
                                            {"mode", "min"},
                                            {"bands", std::vector<double>{2}}}) {
    CAPTURE(name);
    CHECK_THROWS_AS(values_of(list, {{name, value}}), std::invalid_argument);
  }
}

TEST_CASE("a name that a plugin does not offer is told together with those that it does") {
  plugin lab("lab");
  lab.decoder("one", "", {}, {});
  lab.decoder("two", "", {}, {});
  CHECK(offered(lab.components.decoders, "two").plugin == "lab");
  CHECK_THROWS_WITH(static_cast<void>(offered(lab.components.decoders, "three")),
                    "there is no \"three\", only: one, two");
}

TEST_CASE("a transform works on a copy, and gets the numbers of its sample") {
  const function_transform noisy(shape, add_noise);
  const auto before = grey.clone();
  const auto after = applied(noisy, grey, {.seed = 5, .epoch = 2, .id = 9});
  CHECK(same_pixels(grey, before));
  CHECK_FALSE(same_pixels(grey, after));
  sample_rng rng(5, 2, 9, 0);
  CHECK(after.data[rng.below(48)] == 101);
}

TEST_CASE("an image of another shape or type than was promised is told") {
  const auto as = [](function_transform::function f, image_shape promised = shape) {
    return applied(function_transform(promised, f), grey);
  };
  const auto crop = [](cv::Mat& image, transform_context&) { image = image(cv::Rect(0, 0, 4, 4)).clone(); };
  CHECK_THROWS_AS(as(crop), std::runtime_error);
  CHECK_THROWS_AS(as(crop, {3, 4, 4}), std::runtime_error);
  CHECK(as(crop, {1, 4, 4}).rows == 4);
  CHECK(as(crop, {1, 0, 0}).rows == 4);
  CHECK_THROWS_AS(as([](cv::Mat& image, transform_context&) { image.convertTo(image, CV_32F); }), std::runtime_error);
  CHECK_THROWS_AS(as([](cv::Mat& image, transform_context&) { image.convertTo(image, CV_16U); }), std::runtime_error);
}

TEST_CASE("a transform that draws from its own numbers alone is deterministic") {
  CHECK(is_deterministic(function_transform(shape, add_noise), grey));
}

TEST_CASE("a transform that counts its calls, or asks which thread it is on, is not") {
  CHECK_FALSE(is_deterministic(function_transform(shape,
                                                  [](cv::Mat& image, transform_context&) {
                                                    static thread_local std::uint8_t calls = 0;
                                                    image.data[0] = calls++;
                                                  }),
                               grey));
  const auto by_thread = [](cv::Mat& image, transform_context&) {
    const auto hash = std::hash<std::thread::id>{}(std::this_thread::get_id());
    std::memcpy(image.data, &hash, sizeof(hash));
  };
  CHECK_FALSE(is_deterministic(function_transform(shape, by_thread), grey));
}

TEST_CASE("what a transform throws on a thread reaches the test") {
  const function_transform broken(shape, [](cv::Mat&, transform_context& context) {
    if (context.sample == 13)
      throw std::runtime_error("thirteen");
  });
  CHECK_THROWS_WITH(static_cast<void>(is_deterministic(broken, grey)), "thirteen");
}

TEST_CASE("noise samples differ from each other and are the same every time") {
  const auto a = noise_samples(20, {3, 4, 5}), b = noise_samples(20, {3, 4, 5});
  for (std::size_t i = 0; i < 20; ++i) {
    CHECK(std::equal(a[i].bytes.begin(), a[i].bytes.end(), b[i].bytes.begin(), b[i].bytes.end()));
    CHECK_FALSE(std::equal(a[i].bytes.begin(), a[i].bytes.end(), a[(i + 1) % 20].bytes.begin()));
    CHECK(a[i].label == static_cast<std::int64_t>(i % 10));
  }
}

TEST_SUITE_END();
