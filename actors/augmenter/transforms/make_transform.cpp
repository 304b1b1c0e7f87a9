#include "actors/augmenter/transforms/make_transform.hpp"

#include "actors/augmenter/transforms/auto_augment.hpp"
#include "actors/augmenter/transforms/center_crop.hpp"
#include "actors/augmenter/transforms/color_jitter.hpp"
#include "actors/augmenter/transforms/gaussian_blur.hpp"
#include "actors/augmenter/transforms/grayscale.hpp"
#include "actors/augmenter/transforms/plugin_transform.hpp"
#include "actors/augmenter/transforms/random_affine.hpp"
#include "actors/augmenter/transforms/random_crop.hpp"
#include "actors/augmenter/transforms/random_erasing.hpp"
#include "actors/augmenter/transforms/random_flip.hpp"
#include "actors/augmenter/transforms/random_resized_crop.hpp"
#include "actors/augmenter/transforms/random_rotation.hpp"
#include "actors/augmenter/transforms/resize.hpp"

#include <array>
#include <variant>

namespace troupe {

namespace {

using made_transform = expected<std::unique_ptr<transform>>;

struct maker {
  const image_shape& input;

  made_transform operator()(const resize_config& x) const { return make_resize(x, input); }
  made_transform operator()(const center_crop_config& x) const { return make_center_crop(x, input); }
  made_transform operator()(const random_crop_config& x) const { return make_random_crop(x, input); }
  made_transform operator()(const random_resized_crop_config& x) const { return make_random_resized_crop(x, input); }
  made_transform operator()(const random_horizontal_flip_config& x) const {
    return make_random_horizontal_flip(x, input);
  }
  made_transform operator()(const random_vertical_flip_config& x) const { return make_random_vertical_flip(x, input); }
  made_transform operator()(const random_rotation_config& x) const { return make_random_rotation(x, input); }
  made_transform operator()(const random_affine_config& x) const { return make_random_affine(x, input); }
  made_transform operator()(const color_jitter_config& x) const { return make_color_jitter(x, input); }
  made_transform operator()(const grayscale_config& x) const { return make_grayscale(x, input); }
  made_transform operator()(const random_grayscale_config& x) const { return make_random_grayscale(x, input); }
  made_transform operator()(const gaussian_blur_config& x) const { return make_gaussian_blur(x, input); }
  made_transform operator()(const trivial_augment_wide_config& x) const { return make_trivial_augment_wide(x, input); }
  made_transform operator()(const rand_augment_config& x) const { return make_rand_augment(x, input); }
  made_transform operator()(const random_erasing_config& x) const { return make_random_erasing(x, input); }
  made_transform operator()(const normalize_config&) const {
    return failure{ec::bad_config, "not the last of the list, expected `normalize` at its end and at most once"};
  }
  made_transform operator()(const plugin_transform_config& x) const { return make_plugin_transform(x, input); }
};

} // namespace

const char* name_of(const transform_config& config) noexcept {
  static constexpr std::array names{"resize",
                                    "center_crop",
                                    "random_crop",
                                    "random_resized_crop",
                                    "random_horizontal_flip",
                                    "random_vertical_flip",
                                    "random_rotation",
                                    "random_affine",
                                    "color_jitter",
                                    "grayscale",
                                    "random_grayscale",
                                    "gaussian_blur",
                                    "trivial_augment_wide",
                                    "rand_augment",
                                    "random_erasing",
                                    "normalize"};
  static_assert(names.size() + 1 == std::variant_size_v<transform_config>, "in the order of the variant");
  if (const auto* of_plugin = std::get_if<plugin_transform_config>(&config))
    return of_plugin->name.c_str();
  return names[config.index()];
}

expected<std::unique_ptr<transform>> make_transform(const transform_config& config, const image_shape& input) {
  return std::visit(maker{input}, config);
}

} // namespace troupe
