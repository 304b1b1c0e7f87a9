/// One entry of a transform list, as the config names it. Names, parameters and defaults follow torchvision.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace troupe {

/// A size in pixels: one number, or [height, width].
struct size_config {
  std::int64_t height = 0; ///< The one number, if there is no width. 0: none was given.
  std::int64_t width = 0;  ///< 0: one number was given.

  constexpr size_config(std::int64_t size = 0) noexcept : height(size) {} // NOLINT: implicit by design
  constexpr size_config(std::int64_t h, std::int64_t w) noexcept : height(h), width(w) {}
  friend bool operator==(const size_config&, const size_config&) = default;

  [[nodiscard]] constexpr bool given() const noexcept { return height != 0 || width != 0; }
  [[nodiscard]] constexpr bool is_pair() const noexcept { return width != 0; }
};

/// Resizes. One number is the length of the shorter side; the ratio of the sides is kept.
struct resize_config {
  size_config size = {};                  ///< Must be given.
  std::string interpolation = "bilinear"; ///< nearest | bilinear | bicubic
  std::int64_t max_size = 0;              ///< Limit of the longer side, for one number; 0: none.
  bool antialias = true;                  ///< Widen the filter where the image shrinks, as Pillow does.
};

/// Cuts out the middle; pads with zeros where the image is too small.
struct center_crop_config {
  size_config size = {}; ///< Must be given; one number is a square.
};

/// Pads all sides, then cuts a random window. `size` 0: the size of the input, where all images have the same.
struct random_crop_config {
  size_config size = {}; ///< One number is a square.
  std::int64_t padding = 0;
  bool pad_if_needed = false;            ///< Pad images that are still too small on both sides.
  double fill = 0;                       ///< 0..255, for `constant`.
  std::string padding_mode = "constant"; ///< constant | edge | reflect | symmetric
};

/// Cuts a random box and resizes it: the augmentation of ImageNet (Szegedy et al., 2014).
struct random_resized_crop_config {
  size_config size = {};                      ///< Must be given; one number is a square.
  std::vector<double> scale = {0.08, 1};      ///< Range of the box's share of the area.
  std::vector<double> ratio = {0.75, 4. / 3}; ///< Range of width / height.
  std::string interpolation = "bilinear";     ///< nearest | bilinear | bicubic
  bool antialias = true;                      ///< Widen the filter where the box shrinks, as Pillow does.
};

/// Mirrors left to right with probability `p`.
struct random_horizontal_flip_config {
  double p = 0.5;
};

/// Mirrors top to bottom with probability `p`.
struct random_vertical_flip_config {
  double p = 0.5;
};

/// Turns about the centre by a random angle.
struct random_rotation_config {
  std::vector<double> degrees = {0};     ///< One number d: -d..d.
  std::string interpolation = "nearest"; ///< nearest | bilinear
  bool expand = false;                   ///< Enlarge the image so that all of it stays visible.
  double fill = 0;                       ///< 0..255, outside of the image.
};

/// Turns, moves, scales and shears about the centre.
struct random_affine_config {
  std::vector<double> degrees = {0};  ///< One number d: -d..d.
  std::vector<double> translate = {}; ///< Largest shares of width and height; empty: do not move.
  std::vector<double> scale = {};     ///< Range; empty: do not scale.
  std::vector<double> shear = {}; ///< In degrees: d (-d..d along x), range along x, ranges along x and y; empty: none.
  std::string interpolation = "nearest"; ///< nearest | bilinear
  double fill = 0;                       ///< 0..255, outside of the image.
};

/// Changes colours, in random order. One number v of the first three: max(0, 1 - v)..1 + v; of `hue`: -v..v.
struct color_jitter_config {
  std::vector<double> brightness = {0};
  std::vector<double> contrast = {0};
  std::vector<double> saturation = {0};
  std::vector<double> hue = {0}; ///< In turns, within -0.5..0.5.
};

/// Makes all channels equal to the luma.
struct grayscale_config {
  std::int64_t num_output_channels = 3; ///< Those of the image.
};

/// Makes all channels equal to the luma with probability `p`.
struct random_grayscale_config {
  double p = 0.1;
};

/// Blurs with a Gaussian of random width.
struct gaussian_blur_config {
  size_config kernel_size = {};           ///< Odd; must be given. One number counts for both directions.
  std::vector<double> sigma = {0.1, 2.0}; ///< Range in pixels; one number is the width itself.
};

/// Overwrites a random rectangle with `value` (0..255) with probability `p` (Zhong et al., 2017).
struct random_erasing_config {
  double p = 0.5;
  std::vector<double> scale = {0.02, 0.33}; ///< Range of the erased share of the area.
  std::vector<double> ratio = {0.3, 3.3};   ///< Range of the aspect ratio.
  double value = 0;
};

/// Applies one random operation of random strength (Mueller and Hutter, 2021).
struct trivial_augment_wide_config {
  std::int64_t num_magnitude_bins = 31;
  std::string interpolation = "nearest"; ///< nearest | bilinear
  double fill = 0;                       ///< 0..255, outside of the image.
};

/// Applies `num_ops` random operations of one strength (Cubuk et al., 2020).
struct rand_augment_config {
  std::int64_t num_ops = 2;
  std::int64_t magnitude = 9; ///< Below `num_magnitude_bins`.
  std::int64_t num_magnitude_bins = 31;
  std::string interpolation = "nearest"; ///< nearest | bilinear
  double fill = 0;                       ///< 0..255, outside of the image.
};

/// Maps bytes to (x / 255 - mean) / std, per channel.
struct normalize_config {
  std::vector<double> mean;
  std::vector<double> std;
};

/// A transform that a plugin has brought.
struct plugin_transform_config {
  std::string name;
  parameters values;
};

using transform_config =
  std::variant<resize_config, center_crop_config, random_crop_config, random_resized_crop_config,
               random_horizontal_flip_config, random_vertical_flip_config, random_rotation_config, random_affine_config,
               color_jitter_config, grayscale_config, random_grayscale_config, gaussian_blur_config,
               trivial_augment_wide_config, rand_augment_config, random_erasing_config, normalize_config,
               plugin_transform_config>;

} // namespace troupe
