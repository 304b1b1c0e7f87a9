/// The keys of all transforms.
#pragma once

#include "app/config/transform_list.hpp"

#include <vector>

namespace troupe {

/// Returns the transforms that give an image its size and place: resizes, crops, flips, rotations.
[[nodiscard]] std::vector<transform_spec> geometry_specs();

/// Returns the transforms that change its pixels' values.
[[nodiscard]] std::vector<transform_spec> value_specs();

/// Returns a transform with keys bound to the members of the alternative `T`, as `add_keys` adds them.
template <class T, class AddKeys>
transform_spec make_spec(std::string name, std::string about, AddKeys add_keys) {
  transform_spec spec{std::move(name), std::move(about), T{}, {}};
  key_adder<transform_config, T> add{spec.keys, "", [](const transform_config& x) { return std::get_if<T>(&x); },
                                     [](transform_config& x) -> T& { return std::get<T>(x); }};
  add_keys(add);
  return spec;
}

/// Adds `name`: a number of 0..1, the probability.
template <class T, class Add>
void add_probability(Add& add) {
  add("p", &T::p, number({.low = 0, .high = 1}), "Probability.");
}

/// Adds the two keys of transforms that look between pixels and beyond the image.
template <class T, class Add>
void add_lookup(Add& add) {
  add("interpolation", &T::interpolation, one_of({"nearest", "bilinear"}), "How to look between pixels.");
  add("fill", &T::fill, number({.low = 0, .high = 255}), "What lies outside of the image.");
}

} // namespace troupe
