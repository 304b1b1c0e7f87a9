#include "app/config/size_codec.hpp"
#include "app/config/transform_keys.hpp"

namespace troupe {

namespace {

constexpr std::int64_t max_size = 32767;

template <class T, class Add>
void add_filter(Add& add) {
  add("interpolation", &T::interpolation, one_of({"nearest", "bilinear", "bicubic"}), "How to look between pixels.");
}

template <class T, class Add>
void add_antialias(Add& add) {
  add("antialias", &T::antialias, boolean(), "Widen the filter where the image shrinks, as Pillow does.");
}

template <class T, class Add>
void add_degrees(Add& add) {
  add("degrees", &T::degrees, number_or_list({.low = 0, .high = 360}, {.low = -360, .high = 360}, 2, 2),
      "Range of the angle; one number d stands for -d to d.")
    .in("degrees");
}

transform_spec resize_spec() {
  return make_spec<resize_config>("resize", "Resizes; with one number, the shorter side becomes so long.",
                                  [](auto& add) {
                                    using c = resize_config;
                                    add("size", &c::size, size(max_size), "Must be given.").in("pixels");
                                    add_filter<c>(add);
                                    add("max_size", &c::max_size, whole<std::int64_t>(0, max_size),
                                        "Limit of the longer side, where size is one number; 0: none.")
                                      .in("pixels");
                                    add_antialias<c>(add);
                                  });
}

transform_spec center_crop_spec() {
  return make_spec<center_crop_config>(
    "center_crop", "Cuts out the middle; pads with zeros where the image is too small.", [](auto& add) {
      add("size", &center_crop_config::size, size(max_size), "Must be given; one number is a square.").in("pixels");
    });
}

transform_spec random_crop_spec() {
  return make_spec<random_crop_config>("random_crop", "Pads all sides, then cuts a random window.", [](auto& add) {
    using c = random_crop_config;
    add("size", &c::size, size(max_size),
        "One number is a square; 0: the size of the input, where all samples have the same.")
      .in("pixels");
    add("padding", &c::padding, whole<std::int64_t>(0, 1024), "Added to each side.").in("pixels");
    add("pad_if_needed", &c::pad_if_needed, boolean(), "Pad images that are still too small.");
    add("fill", &c::fill, number({.low = 0, .high = 255}), "What constant padding is made of.");
    add("padding_mode", &c::padding_mode, one_of({"constant", "edge", "reflect", "symmetric"}),
        "What padding is made of.");
  });
}

transform_spec random_resized_crop_spec() {
  return make_spec<random_resized_crop_config>(
    "random_resized_crop", "Cuts a random box and resizes it (Szegedy et al., 2014).", [](auto& add) {
      using c = random_resized_crop_config;
      add("size", &c::size, size(max_size), "Must be given; one number is a square.").in("pixels");
      add("scale", &c::scale, list_of(number({.low = 0, .high = 1, .low_excluded = true}), 2, 2),
          "Smallest and largest share of the area.");
      add("ratio", &c::ratio, list_of(number({.low = 0.01, .high = 100}), 2, 2),
          "Smallest and largest width / height.");
      add_filter<c>(add);
      add_antialias<c>(add);
    });
}

transform_spec horizontal_flip_spec() {
  return make_spec<random_horizontal_flip_config>("random_horizontal_flip", "Mirrors left to right.", [](auto& add) {
    add_probability<random_horizontal_flip_config>(add);
  });
}

transform_spec vertical_flip_spec() {
  return make_spec<random_vertical_flip_config>("random_vertical_flip", "Mirrors top to bottom.",
                                                [](auto& add) { add_probability<random_vertical_flip_config>(add); });
}

transform_spec rotation_spec() {
  return make_spec<random_rotation_config>("random_rotation", "Turns about the centre.", [](auto& add) {
    using c = random_rotation_config;
    add_degrees<c>(add);
    add("expand", &c::expand, boolean(), "Enlarge the image so that all of it stays visible.");
    add_lookup<c>(add);
  });
}

transform_spec affine_spec() {
  return make_spec<random_affine_config>("random_affine", "Turns, moves, scales and shears.", [](auto& add) {
    using c = random_affine_config;
    add_degrees<c>(add);
    add("translate", &c::translate, list_of(number({.low = 0, .high = 1}), 2, 2),
        "Largest shares of width and height to move by.");
    add("scale", &c::scale, list_of(number({.low = 0.01, .high = 100}), 2, 2), "Smallest and largest factor.");
    add("shear", &c::shear, number_or_list({.low = 0, .high = 89}, {.low = -89, .high = 89}, 2, 4),
        "Range along x, or [x low, x high, y low, y high]; one number d stands for -d to d.")
      .in("degrees");
    add_lookup<c>(add);
  });
}

} // namespace

std::vector<transform_spec> geometry_specs() {
  return {resize_spec(),          center_crop_spec(),   random_crop_spec(), random_resized_crop_spec(),
          horizontal_flip_spec(), vertical_flip_spec(), rotation_spec(),    affine_spec()};
}

} // namespace troupe
