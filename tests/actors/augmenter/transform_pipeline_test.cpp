#include "actors/augmenter/transform_pipeline.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <string>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const normalize_config fashion{.mean = {0.286}, .std = {0.353}};
const normalize_config rgb{.mean = {0.485, 0.456, 0.406}, .std = {0.229, 0.224, 0.225}};

std::vector<float> apply(const transform_pipeline& pipeline, const encoded_sample& sample, std::uint64_t seed = 1,
                         std::uint64_t epoch = 0, bool channels_last = false) {
  const auto size =
    static_cast<std::size_t>(pipeline.output_channels() * pipeline.output_height() * pipeline.output_width());
  std::vector<float> out(size + 2, -1000);
  REQUIRE(pipeline.apply(sample, seed, epoch, {out.data() + 1, pixel_type::float32, channels_last}));
  CHECK(out.front() == -1000);
  CHECK(out.back() == -1000);
  return {out.begin() + 1, out.end() - 1};
}

transform_pipeline make(const std::vector<transform_config>& transforms, std::int64_t channels, std::int64_t height,
                        std::int64_t width) {
  auto pipeline = transform_pipeline::make(transforms, {channels, height, width});
  REQUIRE(pipeline);
  return std::move(*pipeline);
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  REQUIRE(a.size() == b.size());
  double out = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    out = std::max(out, std::abs(double{a[i]} - b[i]));
  return out;
}

void check_refused(const std::vector<transform_config>& transforms, std::initializer_list<const char*> parts,
                   std::int64_t channels = 1, std::int64_t height = 28, std::int64_t width = 28) {
  auto pipeline = transform_pipeline::make(transforms, {channels, height, width});
  REQUIRE_FALSE(pipeline);
  const auto& text = pipeline.error().context;
  CAPTURE(text);
  CHECK(pipeline.error().code == ec::bad_config);
  for (const auto* part : parts) {
    CAPTURE(part);
    CHECK(text.find(part) != std::string::npos);
  }
}

void check_sample_refused(const encoded_sample& sample, ec code, const std::string& part) {
  const auto pipeline = make({}, 1, 2, 2);
  std::vector<float> out(4, -1000);
  auto ok = pipeline.apply(sample, 1, 0, {out.data()});
  REQUIRE_FALSE(ok);
  CHECK(ok.error().code == code);
  CAPTURE(ok.error().context);
  CHECK(ok.error().context.find(part) != std::string::npos);
  CHECK(out == std::vector<float>(4, -1000));
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("an empty list gives x / 255") {
    const auto pipeline = make({}, 1, 2, 3);
    const auto out = apply(pipeline, raw_sample(0, 1, 2, 3, {0, 51, 102, 153, 204, 255}));
    CHECK(largest_difference(out, {0, 0.2f, 0.4f, 0.6f, 0.8f, 1}) <= 1e-7);
  }

  TEST_CASE("a list without normalize ends with x / 255") {
    const auto pipeline = make({random_horizontal_flip_config{.p = 1}}, 1, 1, 3);
    CHECK(largest_difference(apply(pipeline, raw_sample(0, 1, 1, 3, {0, 51, 255})), {1, 0.2f, 0}) <= 1e-7);
  }

  TEST_CASE("the output shape follows the transforms") {
    const auto pipeline =
      make({random_crop_config{.size = 20, .padding = 1}, random_crop_config{.size = 12}}, 3, 30, 40);
    CHECK(pipeline.output_channels() == 3);
    CHECK(pipeline.output_height() == 12);
    CHECK(pipeline.output_width() == 12);
    apply(pipeline, raw_sample(0, 3, 30, 40, counting_pixels(3 * 30 * 40)));
  }

  TEST_CASE("channels last and channels first hold the same numbers") {
    for (std::int64_t channels : {1, 2, 3, 4}) {
      CAPTURE(channels);
      const auto n = static_cast<std::uint32_t>(channels);
      const auto pipeline = make({random_crop_config{.padding = 2}, random_horizontal_flip_config{}}, channels, 5, 7);
      const auto sample = raw_sample(3, n, 5, 7, counting_pixels(n * 35));
      const auto first = apply(pipeline, sample, 1, 0, false);
      const auto last = apply(pipeline, sample, 1, 0, true);
      for (std::size_t c = 0; c < n; ++c)
        for (std::size_t i = 0; i < 35; ++i)
          CHECK(first[c * 35 + i] == last[i * n + c]);
    }
  }

  TEST_CASE("the result depends on seed, epoch and sample") {
    const auto pipeline = make({random_crop_config{.padding = 8}, fashion}, 1, 28, 28);
    const auto pixels = counting_pixels(28 * 28);
    const auto out = apply(pipeline, raw_sample(5, 1, 28, 28, pixels), 1, 2);
    CHECK(out == apply(pipeline, raw_sample(5, 1, 28, 28, pixels), 1, 2));
    CHECK(out != apply(pipeline, raw_sample(5, 1, 28, 28, pixels), 2, 2));
    CHECK(out != apply(pipeline, raw_sample(5, 1, 28, 28, pixels), 1, 3));
    CHECK(out != apply(pipeline, raw_sample(6, 1, 28, 28, pixels), 1, 2));
  }

  TEST_CASE("the result depends on neither the order of the samples nor the thread nor earlier sizes") {
    const std::vector<transform_config> transforms = {random_crop_config{.padding = 3}, random_horizontal_flip_config{},
                                                      random_erasing_config{.p = 0.7}, fashion};
    const auto pipeline = make(transforms, 1, 28, 28);
    const auto big = make(transforms, 3, 64, 64);
    std::vector<encoded_sample> samples;
    std::vector<std::vector<float>> alone;
    for (std::uint64_t id = 0; id < 50; ++id) {
      samples.push_back(raw_sample(id, 1, 28, 28, counting_pixels(28 * 28)));
      alone.push_back(apply(pipeline, samples.back()));
    }
    const auto backwards = [&](std::vector<std::vector<float>>& out) {
      for (std::size_t i = samples.size(); i-- > 0;) {
        std::vector<float> noise(3 * 64 * 64);
        if (!big.apply(raw_sample(i, 3, 64, 64, counting_pixels(noise.size())), 9, 9,
                       {noise.data(), pixel_type::float32, true})
            || !pipeline.apply(samples[i], 1, 0, {out[i].data()}))
          out[i].clear();
      }
    };
    auto one = alone;
    auto two = alone;
    for (auto* out : {&one, &two})
      for (auto& numbers : *out)
        std::fill(numbers.begin(), numbers.end(), 0.f);
    std::thread first([&] { backwards(one); });
    std::thread second([&] { backwards(two); });
    first.join();
    second.join();
    CHECK(one == alone);
    CHECK(two == alone);
  }

  TEST_CASE("the randomness of a transform does not depend on those before it") {
    const auto sample = raw_sample(11, 1, 8, 8, counting_pixels(64));
    const auto pixels = counting_pixels(64);
    // A flip that never happens and one that happens twice leave the crop that follows, third in the list, alone.
    const auto never = make(
      {random_horizontal_flip_config{.p = 0}, random_horizontal_flip_config{.p = 0}, random_crop_config{.padding = 4}},
      1, 8, 8);
    const auto twice = make(
      {random_horizontal_flip_config{.p = 1}, random_horizontal_flip_config{.p = 1}, random_crop_config{.padding = 4}},
      1, 8, 8);
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch)
      CHECK(apply(never, sample, 1, epoch) == apply(twice, sample, 1, epoch));
  }

  TEST_CASE("two equal transforms in one list draw different numbers") {
    const auto pipeline = make({random_crop_config{.size = 8}, random_crop_config{.size = 1}}, 1, 8, 8);
    const auto direct = make({random_crop_config{.size = 1}}, 1, 8, 8);
    const auto sample = raw_sample(0, 1, 8, 8, counting_pixels(64));
    int num_equal = 0;
    for (std::uint64_t epoch = 0; epoch < 100; ++epoch)
      num_equal += apply(pipeline, sample, 1, epoch) == apply(direct, sample, 1, epoch);
    CHECK(num_equal < 20); // 64 places: about two of a hundred agree by chance.
  }

  TEST_CASE("a sample's bytes are never written to") {
    const auto pixels = counting_pixels(3 * 16 * 16);
    const auto sample = raw_sample(0, 3, 16, 16, pixels);
    const auto pipeline =
      make({random_erasing_config{.p = 1}, random_horizontal_flip_config{.p = 1}, random_erasing_config{.p = 1},
            random_crop_config{.size = 12}, random_erasing_config{.p = 1}},
           3, 16, 16);
    for (std::uint64_t epoch = 0; epoch < 20; ++epoch)
      apply(pipeline, sample, 1, epoch);
    for (std::size_t i = 0; i < pixels.size(); ++i)
      CHECK(std::to_integer<int>(sample.bytes[i]) == pixels[i]);
  }

  TEST_CASE("a sample of another shape, size or format is refused") {
    check_sample_refused(raw_sample(17, 1, 2, 3, {1, 2, 3, 4, 5, 6}), ec::bad_data, "shape is 1x2x3, expected 1x2x2");
    check_sample_refused(raw_sample(17, 3, 2, 2, counting_pixels(12)), ec::bad_data, "shape is 3x2x2, expected 1x2x2");
    check_sample_refused(raw_sample(17, 1, 2, 2, {1, 2, 3}), ec::bad_data, "3 bytes, expected 4");
    check_sample_refused(raw_sample(17, 1, 2, 2, {1, 2, 3, 4, 5}), ec::bad_data, "5 bytes, expected 4");
    auto unknown = raw_sample(17, 1, 2, 2, {1, 2, 3, 4});
    unknown.format = static_cast<sample_format>(200);
    check_sample_refused(unknown, ec::unsupported, "format 200");
  }

  TEST_CASE("normalize is last and there at most once") {
    check_refused({fashion, random_horizontal_flip_config{}}, {"transforms[0], normalize", "at its end"});
    check_refused({fashion, fashion}, {"transforms[0], normalize", "at most once"});
    CHECK(transform_pipeline::make({fashion}, {1, 28, 28}));
  }

  TEST_CASE("errors name the place in the list") {
    check_refused({random_crop_config{}, random_horizontal_flip_config{.p = 2}},
                  {"augmenter: transforms[1], random_horizontal_flip: p is 2"});
    check_refused({random_crop_config{}, rgb}, {"transforms[1], normalize: mean has 3 numbers"});
  }

  TEST_CASE("each transform is checked against what the one before it leaves") {
    check_refused({random_crop_config{.size = 10}, random_crop_config{.size = 12}},
                  {"transforms[1], random_crop", "size is 12", "at most 10"});
  }

  TEST_CASE("sample shapes out of range are refused") {
    check_refused({}, {"channels of the samples is 0"}, 0);
    check_refused({}, {"channels of the samples is 5"}, 5);
    check_refused({}, {"height of the samples is 0"}, 1, 0);
    check_refused({}, {"width of the samples is -1"}, 1, 28, -1);
    check_refused({}, {"width of the samples is 4294967296"}, 1, 28, std::int64_t{1} << 32);
  }
}
