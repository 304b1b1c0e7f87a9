#include "actors/augmenter/pipeline_sample_maker.hpp"
#include "actors/augmenter/transform_pipeline.hpp"

#include "tests/actors/augmenter/transforms/raw_sample.hpp"

#include <cstring>
#include <opencv2/core/mat.hpp>
#include <stdexcept>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;
using namespace troupe::testing;

namespace {

/// A slice of two slots.
struct slots {
  explicit slots(pixel_type type, bool channels_last) : layout{2, 3, 8, 8, channels_last, type} {
    batch_ref ref;
    ref.num_samples = 2;
    batch_buffer buffer(home, layout,
                        {new std::byte[2 * layout.bytes_per_sample()](), std::default_delete<std::byte[]>()});
    slice = std::move(std::move(buffer).split(ref, 2)[0]);
  }
  ~slots() { home->close(); }
  slots(const slots&) = delete;
  slots& operator=(const slots&) = delete;

  [[nodiscard]] std::vector<std::byte> bytes(std::uint32_t i) const {
    return {slice.pixels(i), slice.pixels(i) + layout.bytes_per_sample()};
  }

  batch_layout layout;
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_slice slice;
};

std::shared_ptr<const transform_pipeline> pipeline() {
  auto made = transform_pipeline::make(
    {random_crop_config{.size = 8}, random_horizontal_flip_config{}, normalize_config{.mean = {0.4}, .std = {0.2}}},
    {3, 20, 24});
  REQUIRE(made);
  return std::make_shared<transform_pipeline>(std::move(*made));
}

const encoded_sample sample = raw_sample(6, 3, 20, 24, counting_pixels(3 * 20 * 24));

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("making a picture and writing it gives the numbers that filling gives, and the augmenter's") {
    const auto transforms = pipeline();
    const auto maker = make_pipeline_sample_maker(transforms, 9);
    CHECK(maker->shape() == image_shape{3, 8, 8});
    for (const auto type : {pixel_type::float32, pixel_type::bfloat16})
      for (const bool channels_last : {false, true}) {
        slots to(type, channels_last), wanted(type, channels_last);
        cv::Mat picture;
        REQUIRE(maker->make(sample, 3, picture));
        maker->write(picture, to.slice, 1);
        REQUIRE(maker->fill(sample, 3, to.slice, 0));
        REQUIRE(transforms->apply(sample, 9, 3, {wanted.slice.pixels(0), type, channels_last}));
        CHECK(to.bytes(0) == wanted.bytes(0));
        CHECK(to.bytes(1) == wanted.bytes(0));
      }
  }

  TEST_CASE("a picture has memory of its own") {
    const auto maker = make_pipeline_sample_maker(pipeline(), 9);
    cv::Mat first, second;
    REQUIRE(maker->make(sample, 3, first));
    second = first;
    const auto kept = first.clone();
    REQUIRE(maker->make(sample, 4, second));
    CHECK(std::memcmp(first.data, kept.data, kept.total() * kept.elemSize()) == 0);
    CHECK(first.data != second.data);
  }

  TEST_CASE("a sample that cannot be made is a failure, and a picture of another shape is refused") {
    const auto maker = make_pipeline_sample_maker(pipeline(), 9);
    auto wrong = sample;
    wrong.height = 19;
    cv::Mat picture;
    const auto made = maker->make(wrong, 3, picture);
    REQUIRE_FALSE(made);
    CHECK(made.error().code == ec::bad_data);
    slots to(pixel_type::float32, false);
    CHECK_THROWS_AS(maker->write(cv::Mat::zeros(9, 8, CV_8UC3), to.slice, 0), std::invalid_argument);
    CHECK_THROWS_AS(maker->write(cv::Mat::zeros(8, 8, CV_8UC1), to.slice, 0), std::invalid_argument);
  }
}
