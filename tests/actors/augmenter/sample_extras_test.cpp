#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/support/imaging/image_decoder.hpp"
#include "actors/support/imaging/pixel_hash.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"
#include "tests/actors/augmenter/transforms/staged_image.hpp"
#include "tests/actors/augmenter/transforms/transform_golden.hpp"

#include <set>
#include <string>
#include <thread>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

const std::vector<transform_config> augmentations{
  random_crop_config{.size = 16, .padding = 2}, random_horizontal_flip_config{},
  color_jitter_config{.brightness = {0.4}}, random_erasing_config{.p = 0.7},
  normalize_config{.mean = {0.4}, .std = {0.2}}};
const cv::Mat colours = pattern_image(3, 20, 24);

transform_pipeline make(const std::vector<transform_config>& transforms, const pipeline_input& input) {
  auto pipeline = transform_pipeline::make(transforms, input);
  REQUIRE(pipeline);
  return std::move(*pipeline);
}

encoded_sample sample_of(const cv::Mat& pixels, std::uint64_t id = 3) {
  const auto* first = pixels.data;
  return raw_sample(id, static_cast<std::uint32_t>(pixels.channels()), static_cast<std::uint32_t>(pixels.rows),
                    static_cast<std::uint32_t>(pixels.cols), {first, first + pixels.total() * pixels.elemSize()});
}

encoded_sample file_of(const cv::Mat& pixels, std::uint64_t id = 3) {
  auto bytes = std::make_shared<std::vector<std::byte>>(staged_file::png_of(pixels));
  encoded_sample sample;
  sample.id = id;
  sample.format = sample_format::image_file;
  sample.bytes = *bytes;
  sample.owner = bytes;
  return sample;
}

/// All that a pipeline makes of a sample.
struct whole_result {
  std::vector<float> numbers;
  std::uint64_t hash = 0;
  std::vector<std::string> notes;
  decoded_sample kept;
  friend bool operator==(const whole_result& a, const whole_result& b) {
    return a.numbers == b.numbers && a.hash == b.hash && a.notes == b.notes;
  }
};

whole_result result_of(const transform_pipeline& pipeline, const encoded_sample& sample, std::uint64_t seed = 1,
                       std::uint64_t epoch = 0) {
  whole_result out;
  out.numbers.resize(
    static_cast<std::size_t>(pipeline.output_channels() * pipeline.output_height() * pipeline.output_width()));
  const auto ok = pipeline.apply(sample, seed, epoch, {out.numbers.data()}, {&out.kept, &out.hash, &out.notes});
  if (!ok)
    throw std::runtime_error(to_string(ok.error()));
  return out;
}

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("the hash is that of the pixels before normalising") {
    const auto plain = make({}, {3, 20, 24});
    CHECK(result_of(plain, sample_of(colours)).hash == pixel_hash(colours));
    const auto normalized = make({normalize_config{.mean = {0.4}, .std = {0.2}}}, {3, 20, 24});
    CHECK(result_of(normalized, sample_of(colours)).hash == pixel_hash(colours));
    const auto middle = make({center_crop_config{.size = 10}}, {3, 20, 24});
    CHECK(result_of(middle, sample_of(colours)).hash == pixel_hash(colours(cv::Rect(7, 5, 10, 10))));
  }

  TEST_CASE("what random_erasing overwrites is in the hash") {
    const auto erased = make({random_erasing_config{.p = 1}}, {3, 20, 24});
    CHECK(result_of(erased, sample_of(colours)).hash != pixel_hash(colours));
  }

  TEST_CASE("seed, epoch and id decide the hash and the notes, on any thread") {
    const auto pipeline = make(augmentations, {3, 20, 24});
    const auto here = result_of(pipeline, sample_of(colours), 1, 2);
    whole_result there;
    std::thread([&] { there = result_of(pipeline, sample_of(colours), 1, 2); }).join();
    CHECK(there == here);
    std::set<std::uint64_t> hashes{here.hash};
    hashes.insert(result_of(pipeline, sample_of(colours), 2, 2).hash);
    hashes.insert(result_of(pipeline, sample_of(colours), 1, 3).hash);
    hashes.insert(result_of(pipeline, sample_of(colours, 4), 1, 2).hash);
    CHECK(hashes.size() == 4);
  }

  TEST_CASE("equal hashes come with equal numbers, others with others") {
    const auto pipeline = make(augmentations, {3, 20, 24});
    std::set<std::uint64_t> hashes;
    std::set<std::vector<float>> numbers;
    for (std::uint64_t epoch = 0; epoch < 200; ++epoch) {
      const auto made = result_of(pipeline, sample_of(colours), 1, epoch);
      CHECK(hashes.insert(made.hash).second == numbers.insert(made.numbers).second);
    }
  }

  TEST_CASE("raw pixels and an image file of them give the same hash and notes") {
    const auto raw = make(augmentations, {3, 20, 24});
    const auto files = make(augmentations, {});
    for (std::uint64_t id = 0; id < 20; ++id) {
      const auto made = result_of(files, file_of(colours, id));
      CHECK(made == result_of(raw, sample_of(colours, id)));
      CHECK(made.notes.size() == 4);
    }
  }

  TEST_CASE("a cached sample gives the hash and notes of its file") {
    const auto pipeline = make(augmentations, {.cache_side = 17});
    for (std::uint64_t id = 0; id < 20; ++id) {
      const auto from_file = result_of(pipeline, file_of(colours, id));
      REQUIRE(from_file.kept.height == 17);
      encoded_sample cached;
      cached.id = id;
      cached.format = sample_format::cached_u8;
      cached.channels = from_file.kept.channels;
      cached.height = from_file.kept.height;
      cached.width = from_file.kept.width;
      cached.bytes = from_file.kept.bytes;
      CHECK(result_of(pipeline, cached) == from_file);
    }
  }

  TEST_CASE("16-bit files have the hash of their 16 bits") {
    const auto deep = pattern_image(1, 20, 24, 16);
    const auto pipeline = make({center_crop_config{.size = {20, 24}}}, {.decode = {.channels = 1, .bits = 16}});
    CHECK(result_of(pipeline, file_of(deep)).hash == pixel_hash(deep));
  }

  TEST_CASE("notes are one line per transform, with its name, added behind those that are there") {
    const auto pipeline =
      make({random_crop_config{.size = {20, 24}}, random_horizontal_flip_config{.p = 1},
            random_horizontal_flip_config{.p = 0}, color_jitter_config{}, trivial_augment_wide_config{}},
           {3, 20, 24});
    std::vector<float> numbers(3 * 20 * 24);
    std::vector<std::string> notes{"sample 3"};
    REQUIRE(pipeline.apply(sample_of(colours), 1, 0, {numbers.data()}, {.notes = &notes}));
    REQUIRE(notes.size() == 6);
    CHECK(notes[0] == "sample 3");
    CHECK(notes[1] == "random_crop: 20 x 24 at (y 0, x 0)");
    CHECK(notes[2] == "random_horizontal_flip: flipped");
    CHECK(notes[3] == "random_horizontal_flip: not flipped");
    CHECK(notes[4] == "color_jitter: brightness off, contrast off, saturation off, hue off");
    CHECK(notes[5].rfind("trivial_augment_wide: ", 0) == 0);
  }

  TEST_CASE("hash and notes change nothing of the numbers") {
    const auto pipeline = make(augmentations, {3, 20, 24});
    for (std::uint64_t epoch = 0; epoch < 50; ++epoch) {
      const auto made = result_of(pipeline, sample_of(colours), 1, epoch);
      std::vector<float> numbers(made.numbers.size());
      REQUIRE(pipeline.apply(sample_of(colours), 1, epoch, {numbers.data()}));
      CHECK(numbers == made.numbers);
    }
  }

  TEST_CASE("a sample that cannot be made has no hash, and notes of what came before") {
    const auto pipeline = make({random_horizontal_flip_config{.p = 1}, random_crop_config{.size = 22}}, {});
    std::vector<float> numbers(3 * 22 * 22, -1000);
    std::uint64_t hash = 77;
    std::vector<std::string> notes;
    const auto ok = pipeline.apply(file_of(colours), 1, 0, {numbers.data()}, {nullptr, &hash, &notes});
    REQUIRE_FALSE(ok);
    CHECK(ok.error().code == ec::bad_data);
    CHECK(hash == 77);
    CHECK(notes == std::vector<std::string>{"random_horizontal_flip: flipped"});
    CHECK(numbers == std::vector<float>(numbers.size(), -1000));
  }
}
