#include "actors/augmenter/transforms/make_transform.hpp"

#include <limits>
#include <string>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

const image_shape rgb{3, 40, 30};

void check_refused(const transform_config& config, const std::string& part, const image_shape& input = rgb) {
  CAPTURE(std::string(name_of(config)));
  auto made = make_transform(config, input);
  REQUIRE_FALSE(made);
  CAPTURE(made.error().context);
  CHECK(made.error().code == ec::bad_config);
  CHECK(made.error().context.find(part) != std::string::npos);
}

constexpr auto not_a_number = std::numeric_limits<double>::quiet_NaN();

} // namespace

TEST_SUITE("actors/augmenter") {
  TEST_CASE("sizes must be given and in range") {
    check_refused(resize_config{}, "size is missing, expected one number of pixels or [height, width]");
    check_refused(center_crop_config{}, "size is missing");
    check_refused(random_resized_crop_config{}, "size is missing");
    check_refused(random_crop_config{}, "size is missing", {3, 0, 0});
    check_refused(center_crop_config{.size = 32768}, "size is 32768, expected 1..32767");
    check_refused(resize_config{.size = {5, -1}}, "size is -1, expected 1..32767");
    check_refused(resize_config{.size = 9, .max_size = 9}, "max_size is 9, expected more than size, 9");
    check_refused(resize_config{.size = {9, 9}, .max_size = 10}, "max_size is 10, expected 0");
    check_refused(random_crop_config{.size = {41, 10}}, "size is 41, expected at most 40, the height of the padded");
    check_refused(random_crop_config{.size = {10, 31}}, "size is 31, expected at most 30, the width of the padded");
    CHECK(make_transform(random_crop_config{.size = {41, 31}, .pad_if_needed = true}, rgb));
  }

  TEST_CASE("names of modes must be known") {
    check_refused(resize_config{.size = 9, .interpolation = "cubic"},
                  "interpolation is \"cubic\", expected nearest, bilinear or bicubic");
    check_refused(random_rotation_config{.interpolation = "bicubic"}, "expected nearest or bilinear");
    check_refused(random_crop_config{.size = 9, .padding_mode = "wrap"},
                  "padding_mode is \"wrap\", expected constant, edge, reflect or symmetric");
  }

  TEST_CASE("ranges must be in order and within their limits") {
    check_refused(random_resized_crop_config{.size = 9, .scale = {0.5, 0.4}},
                  "scale is [0.5, 0.4], expected [low, high]");
    check_refused(random_resized_crop_config{.size = 9, .scale = {0, 1}}, "scale is [0, 1]");
    check_refused(random_resized_crop_config{.size = 9, .ratio = {0.5, not_a_number}}, "ratio is [0.5, nan]");
    check_refused(random_rotation_config{.degrees = {-5}}, "degrees is [-5], expected one number of 0..360");
    check_refused(random_rotation_config{.degrees = {}}, "degrees is []");
    check_refused(random_affine_config{.translate = {0.5}}, "translate is [0.5]");
    check_refused(random_affine_config{.translate = {0.5, 1.5}}, "translate is 1.5, expected 0..1");
    check_refused(random_affine_config{.scale = {0, 1}}, "scale is [0, 1]");
    check_refused(random_affine_config{.shear = {1, 2, 3}}, "shear is [1, 2, 3]");
    check_refused(random_affine_config{.shear = {90}}, "shear is [90]");
    check_refused(random_affine_config{.fill = 256}, "fill is 256, expected 0..255");
    check_refused(color_jitter_config{.brightness = {-1}}, "brightness is -1, expected 0..99");
    check_refused(color_jitter_config{.saturation = {2, 1}}, "saturation is [2, 1]");
    check_refused(color_jitter_config{.hue = {0.6}}, "hue is [0.6], expected one number of 0..0.5");
    check_refused(gaussian_blur_config{}, "kernel_size is missing");
    check_refused(gaussian_blur_config{.kernel_size = 4}, "kernel_size is 4, expected an odd number");
    check_refused(gaussian_blur_config{.kernel_size = 3, .sigma = {0}}, "sigma is [0, 0]");
    check_refused(random_grayscale_config{.p = 2}, "p is 2, expected 0..1");
    check_refused(random_vertical_flip_config{.p = -1}, "p is -1, expected 0..1");
    check_refused(trivial_augment_wide_config{.num_magnitude_bins = 1}, "num_magnitude_bins is 1, expected 2..1000");
    check_refused(rand_augment_config{.magnitude = 31}, "magnitude is 31, expected 0..30");
    check_refused(rand_augment_config{.num_ops = 0}, "num_ops is 0, expected 1..32");
  }

  TEST_CASE("what works on colours of 8 bits refuses all other images") {
    const image_shape wide{3, 0, 0, 16};
    const std::string part = "works on 8-bit pixels only";
    check_refused(color_jitter_config{}, part, wide);
    check_refused(grayscale_config{}, part, wide);
    check_refused(random_grayscale_config{}, part, wide);
    check_refused(trivial_augment_wide_config{}, part, wide);
    check_refused(rand_augment_config{}, part, wide);
    check_refused(color_jitter_config{}, "2 channels, expected 1 or 3", {2, 0, 0});
    check_refused(grayscale_config{.num_output_channels = 1}, "num_output_channels is 1, expected 3");
    CHECK(make_transform(gaussian_blur_config{.kernel_size = 3}, wide));
  }
}
