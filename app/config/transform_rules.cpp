#include "app/config/transform_rules.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <variant>

namespace troupe {

namespace {

/// The rules of each transform.
class rules {
public:
  rules(const std::string& path, known_shape& shape, std::vector<violation>& out)
    : path_(path), shape_(shape), out_(out) {}

  void operator()(const resize_config& x) {
    require_size("resize", x.size);
    if (x.max_size > 0 && x.size.is_pair())
      add("resize", "max_size", fmt::format("{} has no meaning where size is [height, width], expected 0", x.max_size));
    else if (x.max_size > 0 && x.max_size <= x.size.height)
      add("resize", "max_size", fmt::format("{} is not more than size, {}", x.max_size, x.size.height));
    shape_.side = x.max_size > 0 ? 0 : shorter_side(x.size);
  }

  void operator()(const center_crop_config& x) {
    require_size("center_crop", x.size);
    shape_.side = shorter_side(x.size);
  }

  void operator()(const random_crop_config& x) {
    const auto room = shape_.side + 2 * x.padding;
    const auto wanted = shorter_side(x.size);
    if (shape_.side > 0 && !x.pad_if_needed && wanted > room)
      add("random_crop", "size", fmt::format("{} is more than the padded sample's {}", wanted, room));
    if (x.size.given())
      shape_.side = wanted;
  }

  void operator()(const random_resized_crop_config& x) {
    require_size("random_resized_crop", x.size);
    in_order("random_resized_crop", "scale", x.scale);
    in_order("random_resized_crop", "ratio", x.ratio);
    shape_.side = shorter_side(x.size);
  }

  void operator()(const random_horizontal_flip_config&) {}
  void operator()(const random_vertical_flip_config&) {}
  void operator()(const random_grayscale_config&) {}
  void operator()(const trivial_augment_wide_config&) {}

  void operator()(const random_rotation_config& x) {
    in_order("random_rotation", "degrees", x.degrees);
    if (x.expand)
      shape_.side = 0;
  }

  void operator()(const random_affine_config& x) {
    in_order("random_affine", "degrees", x.degrees);
    in_order("random_affine", "scale", x.scale);
    if (x.shear.size() == 3)
      add("random_affine", "shear", "has 3 values, expected 1, 2 or 4");
    else
      in_order("random_affine", "shear", x.shear);
  }

  void operator()(const color_jitter_config& x) {
    in_order("color_jitter", "brightness", x.brightness);
    in_order("color_jitter", "contrast", x.contrast);
    in_order("color_jitter", "saturation", x.saturation);
    in_order("color_jitter", "hue", x.hue);
  }

  void operator()(const grayscale_config& x) {
    if (shape_.channels > 0 && static_cast<std::size_t>(x.num_output_channels) != shape_.channels)
      add("grayscale", "num_output_channels",
          fmt::format("{}, expected the {} of the samples", x.num_output_channels, shape_.channels));
  }

  void operator()(const gaussian_blur_config& x) {
    if (!x.kernel_size.given())
      add("gaussian_blur", "kernel_size", "is missing, expected an odd number of pixels");
    else if (x.kernel_size.height % 2 == 0 || (x.kernel_size.is_pair() && x.kernel_size.width % 2 == 0))
      add("gaussian_blur", "kernel_size", "is even, expected an odd number of pixels");
    in_order("gaussian_blur", "sigma", x.sigma);
  }

  void operator()(const rand_augment_config& x) {
    if (x.magnitude >= x.num_magnitude_bins)
      add("rand_augment", "magnitude",
          fmt::format("{} is not below num_magnitude_bins, {}", x.magnitude, x.num_magnitude_bins));
  }

  void operator()(const random_erasing_config& x) {
    in_order("random_erasing", "scale", x.scale);
    in_order("random_erasing", "ratio", x.ratio);
  }

  void operator()(const normalize_config& x) {
    for (const auto& [name, values] : {std::pair{"mean", &x.mean}, std::pair{"std", &x.std}})
      if (shape_.channels > 0 && values->size() != 1 && values->size() != shape_.channels)
        add("normalize", name,
            fmt::format("has {} values, expected one, or one for each of the {} channels", values->size(),
                        shape_.channels));
  }

  void operator()(const plugin_transform_config&) { shape_ = {0, 0}; }

private:
  void add(const char* transform, const char* key, std::string text) {
    out_.push_back({{fmt::format("{}.{}.{}", path_, transform, key)}, std::move(text)});
  }

  void require_size(const char* transform, const size_config& x) {
    if (!x.given())
      add(transform, "size", "is missing, expected a number of pixels or [height, width]");
  }

  /// Pairs of numbers, the smaller first.
  void in_order(const char* transform, const char* key, const std::vector<double>& x) {
    for (std::size_t i = 0; i + 1 < x.size(); i += 2)
      if (x[i] > x[i + 1])
        add(transform, key, fmt::format("starts at {} and ends at {}, expected the smaller first", x[i], x[i + 1]));
  }

  static std::int64_t shorter_side(const size_config& x) {
    return x.is_pair() ? std::min(x.height, x.width) : x.height;
  }

  const std::string& path_;
  known_shape& shape_;
  std::vector<violation>& out_;
};

} // namespace

void check_transform(const transform_config& x, const std::string& path, known_shape& shape,
                     std::vector<violation>& out) {
  std::visit(rules(path, shape, out), x);
}

} // namespace troupe
