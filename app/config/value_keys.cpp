#include "app/config/size_codec.hpp"
#include "app/config/transform_keys.hpp"

namespace troupe {

namespace {

constexpr std::size_t max_channels = 4;
constexpr std::int64_t max_bins = 1000;

transform_spec jitter_spec() {
  return make_spec<color_jitter_config>(
    "color_jitter", "Changes the colours, in random order; 8-bit pixels only.", [](auto& add) {
      using c = color_jitter_config;
      const auto factor = [] { return number_or_list({.low = 0, .high = 99}, {.low = 0, .high = 100}, 2, 2); };
      const std::string about = "Range of the factor; one number v stands for max(0, 1 - v) to 1 + v.";
      add("brightness", &c::brightness, factor(), about);
      add("contrast", &c::contrast, factor(), about);
      add("saturation", &c::saturation, factor(), about);
      add("hue", &c::hue, number_or_list({.low = 0, .high = 0.5}, {.low = -0.5, .high = 0.5}, 2, 2),
          "Range of the shift, 1 is the full circle; one number v stands for -v to v.");
    });
}

transform_spec grayscale_spec() {
  return make_spec<grayscale_config>("grayscale", "Makes all channels equal to the luma; 8-bit pixels only.",
                                     [](auto& add) {
                                       add("num_output_channels", &grayscale_config::num_output_channels,
                                           whole<std::int64_t>(1, 3), "Those of the samples.");
                                     });
}

transform_spec random_grayscale_spec() {
  return make_spec<random_grayscale_config>("random_grayscale",
                                            "Makes all channels equal to the luma; 8-bit pixels only.",
                                            [](auto& add) { add_probability<random_grayscale_config>(add); });
}

transform_spec blur_spec() {
  return make_spec<gaussian_blur_config>("gaussian_blur", "Blurs with a random width.", [](auto& add) {
    using c = gaussian_blur_config;
    add("kernel_size", &c::kernel_size, size(255), "Odd; must be given. Of two numbers, the first is the width.")
      .in("pixels");
    add("sigma", &c::sigma, number_or_list({.low = 0.001, .high = 1000}, {.low = 0.001, .high = 1000}, 2, 2),
        "Range of the standard deviation; one number is the deviation itself.")
      .in("pixels");
  });
}

transform_spec trivial_augment_spec() {
  return make_spec<trivial_augment_wide_config>(
    "trivial_augment_wide", "One random operation of random strength (2021); 8-bit pixels only.", [](auto& add) {
      using c = trivial_augment_wide_config;
      add("num_magnitude_bins", &c::num_magnitude_bins, whole<std::int64_t>(2, max_bins), "Different strengths.");
      add_lookup<c>(add);
    });
}

transform_spec rand_augment_spec() {
  return make_spec<rand_augment_config>(
    "rand_augment", "Random operations of one strength (Cubuk et al., 2020); 8-bit pixels only.", [](auto& add) {
      using c = rand_augment_config;
      add("num_ops", &c::num_ops, whole<std::int64_t>(1, 32), "Operations per sample.");
      add("magnitude", &c::magnitude, whole<std::int64_t>(0, max_bins - 1), "Their strength, a bin's number.");
      add("num_magnitude_bins", &c::num_magnitude_bins, whole<std::int64_t>(2, max_bins), "Different strengths.");
      add_lookup<c>(add);
    });
}

transform_spec erasing_spec() {
  return make_spec<random_erasing_config>(
    "random_erasing", "Overwrites a random rectangle (Zhong et al., 2017).", [](auto& add) {
      using c = random_erasing_config;
      add_probability<c>(add);
      add("scale", &c::scale, list_of(number({.low = 0, .high = 1, .low_excluded = true}), 2, 2),
          "Smallest and largest erased share of the area.");
      add("ratio", &c::ratio, list_of(number({.low = 0, .high = 100, .low_excluded = true}), 2, 2),
          "Smallest and largest aspect ratio.");
      add("value", &c::value, number({.low = 0, .high = 255}), "What is written.");
    });
}

transform_spec normalize_spec() {
  return make_spec<normalize_config>(
    "normalize", "Maps bytes to (x / 255 - mean) / std; the last of its list.", [](auto& add) {
      using c = normalize_config;
      add("mean", &c::mean, list_of(number({.low = -1000, .high = 1000}), 1, max_channels),
          "One for each channel or one for all; 1 is the full range.");
      add("std", &c::std, list_of(number({.low = 0, .high = 1000, .low_excluded = true}), 1, max_channels),
          "One for each channel or one for all; 1 is the full range.");
    });
}

} // namespace

std::vector<transform_spec> value_specs() {
  return {jitter_spec(),          grayscale_spec(),    random_grayscale_spec(), blur_spec(),
          trivial_augment_spec(), rand_augment_spec(), erasing_spec(),          normalize_spec()};
}

} // namespace troupe
