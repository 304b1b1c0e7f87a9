/// The operations that TrivialAugmentWide and RandAugment choose from.
#pragma once

#include "actors/augmenter/transforms/working_image.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// In torchvision's order.
enum class augment_op : std::uint8_t {
  identity,
  shear_x,
  shear_y,
  translate_x,
  translate_y,
  rotate,
  brightness,
  color,
  contrast,
  sharpness,
  posterize,
  solarize,
  auto_contrast,
  equalize,
};

inline constexpr std::uint64_t num_augment_ops = 14;

/// The largest magnitudes of a policy.
struct augment_space {
  float shear = 0;       ///< Tangent.
  cv::Point2f translate; ///< In pixels.
  float rotate = 0;      ///< In degrees.
  float colour = 0;      ///< How far the factors of brightness, colour, contrast and sharpness go from 1.
  float bits = 0;        ///< How many bits are lost.
};

/// True if the magnitude may be negative as well.
[[nodiscard]] bool is_signed(augment_op op) noexcept;

/// Returns the magnitude in `bin` of `num_bins`, in single precision as torchvision computes it; 0 if the operation has
/// none. @pre bin < num_bins, 2 <= num_bins
[[nodiscard]] float magnitude_of(augment_op op, int bin, int num_bins, const augment_space& space) noexcept;

/// Returns what the operation does, in its own unit: "rotate -13.5 deg", "brightness 1.33" (the factor), "identity".
[[nodiscard]] std::string text_of(augment_op op, float magnitude);

/// Applies `op` to the image, as torchvision does to uint8 tensors of 1 or 3 channels. @pre decoded; 8 bits
void apply_augment_op(working_image& image, augment_op op, float magnitude, interpolation filter, double fill);

} // namespace troupe
