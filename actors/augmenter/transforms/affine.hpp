/// Rotation, shear and the like, as torchvision does them on tensors.
#pragma once

#include "actors/support/imaging/resize.hpp"

#include <array>
#include <opencv2/core/mat.hpp>

namespace troupe {

/// Says where an output pixel (x, y) comes from: (m[0] x + m[1] y + m[2], m[3] x + m[4] y + m[5]), both relative to the
/// centres of their images.
using affine_map = std::array<double, 6>;

struct affine_parameters {
  double degrees = 0;    ///< Clockwise.
  cv::Point2d translate; ///< In pixels.
  double scale = 1;      ///< Above 0.
  cv::Point2d shear;     ///< In degrees, along x and y.
  cv::Point2d center;    ///< What stays in place, relative to the centre of the image.
};

[[nodiscard]] affine_map affine_map_of(const affine_parameters& x) noexcept;

/// Turns counter-clockwise about the centre, as torchvision's `rotate`.
[[nodiscard]] affine_map rotation_map(double degrees) noexcept;

/// Returns the size that shows all of an image of `size` under `map`, a rotation.
[[nodiscard]] cv::Size expanded_size(const affine_map& map, cv::Size size) noexcept;

/// Fills `to` with what `map` brings there; pixels outside of `from` are `fill`. CV_8UC(1..4) or CV_16UC(1..4), of which
/// `fill` is a value. `filter`: nearest or bilinear, where a pixel at the edge is mixed with `fill` as torchvision mixes
/// it. @pre `to` is allocated, of the type of `from`, and does not overlap it.
void warp(const cv::Mat& from, cv::Mat& to, const affine_map& map, interpolation filter, double fill);

} // namespace troupe
