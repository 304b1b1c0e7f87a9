#include "actors/augmenter/transforms/augment_op.hpp"

#include "actors/augmenter/transforms/affine.hpp"
#include "actors/augmenter/transforms/colour.hpp"
#include "actors/augmenter/transforms/note_text.hpp"
#include "actors/augmenter/transforms/tone.hpp"

#include <array>
#include <cmath>
#include <numbers>

namespace troupe {

namespace {

float spaced(float from, float to, int i, int n) {
  const float step = (to - from) / static_cast<float>(n - 1);
  return i < n / 2 ? from + step * static_cast<float>(i) : to - step * static_cast<float>(n - i - 1);
}

bool is_geometric(augment_op op) {
  return op >= augment_op::shear_x && op <= augment_op::rotate;
}

affine_map map_of(augment_op op, double magnitude, cv::Size size) {
  affine_parameters x;
  const double sheared = std::atan(magnitude) * (180 / std::numbers::pi);
  if (op == augment_op::rotate)
    return rotation_map(magnitude);
  if (op == augment_op::shear_x || op == augment_op::shear_y)
    x.center = {-0.5 * size.width, -0.5 * size.height};
  if (op == augment_op::shear_x)
    x.shear.x = sheared;
  if (op == augment_op::shear_y)
    x.shear.y = sheared;
  if (op == augment_op::translate_x)
    x.translate.x = std::trunc(magnitude);
  if (op == augment_op::translate_y)
    x.translate.y = std::trunc(magnitude);
  return affine_map_of(x);
}

void change_tones(cv::Mat& pixels, augment_op op, double magnitude) {
  switch (op) {
  case augment_op::brightness:
    return adjust_brightness(pixels, 1 + magnitude);
  case augment_op::color:
    return adjust_saturation(pixels, 1 + magnitude);
  case augment_op::contrast:
    return adjust_contrast(pixels, 1 + magnitude);
  case augment_op::posterize:
    return posterize(pixels, static_cast<int>(magnitude));
  case augment_op::solarize:
    return solarize(pixels, magnitude);
  case augment_op::auto_contrast:
    return autocontrast(pixels);
  case augment_op::equalize:
    return equalize(pixels);
  default:
    return;
  }
}

} // namespace

bool is_signed(augment_op op) noexcept {
  return op >= augment_op::shear_x && op <= augment_op::sharpness;
}

float magnitude_of(augment_op op, int bin, int num_bins, const augment_space& space) noexcept {
  switch (op) {
  case augment_op::shear_x:
  case augment_op::shear_y:
    return spaced(0, space.shear, bin, num_bins);
  case augment_op::translate_x:
    return spaced(0, space.translate.x, bin, num_bins);
  case augment_op::translate_y:
    return spaced(0, space.translate.y, bin, num_bins);
  case augment_op::rotate:
    return spaced(0, space.rotate, bin, num_bins);
  case augment_op::brightness:
  case augment_op::color:
  case augment_op::contrast:
  case augment_op::sharpness:
    return spaced(0, space.colour, bin, num_bins);
  case augment_op::posterize:
    return 8 - std::nearbyint(static_cast<float>(bin) / (static_cast<float>(num_bins - 1) / space.bits));
  case augment_op::solarize:
    return spaced(255, 0, bin, num_bins);
  default:
    return 0;
  }
}

std::string text_of(augment_op op, float magnitude) {
  static constexpr std::array<const char*, num_augment_ops> names{
    "identity", "shear_x",  "shear_y",   "translate_x", "translate_y", "rotate",        "brightness",
    "color",    "contrast", "sharpness", "posterize",   "solarize",    "auto_contrast", "equalize"};
  const std::string name = names[static_cast<std::size_t>(op)];
  switch (op) {
  case augment_op::shear_x:
  case augment_op::shear_y:
    return name + " " + text_of(magnitude);
  case augment_op::translate_x:
  case augment_op::translate_y:
    return name + " " + text_of(std::trunc(magnitude)) + " px";
  case augment_op::rotate:
    return name + " " + text_of(magnitude) + " deg";
  case augment_op::brightness:
  case augment_op::color:
  case augment_op::contrast:
  case augment_op::sharpness:
    return name + " " + text_of(1.0 + magnitude);
  case augment_op::posterize:
    return name + " to " + text_of(magnitude) + " bits";
  case augment_op::solarize:
    return name + " from " + text_of(magnitude);
  default:
    return name;
  }
}

void apply_augment_op(working_image& image, augment_op op, float magnitude, interpolation filter, double fill) {
  if (op == augment_op::identity)
    return;
  if (op == augment_op::sharpness) {
    image.replace(image.size(), [&](const cv::Mat& from, cv::Mat& to) { adjust_sharpness(from, to, 1.0 + magnitude); });
  } else if (is_geometric(op)) {
    const auto map = map_of(op, magnitude, image.size());
    image.replace(image.size(), [&](const cv::Mat& from, cv::Mat& to) { warp(from, to, map, filter, fill); });
  } else {
    change_tones(image.writable(), op, magnitude);
  }
}

} // namespace troupe
