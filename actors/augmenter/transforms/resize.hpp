/// Brings the image to a size.
#pragma once

#include "actors/augmenter/transforms/transform.hpp"
#include "actors/augmenter/transforms/transform_config.hpp"
#include "actors/support/expected.hpp"

#include <memory>

namespace troupe {

/// Returns the size of an image of `from` whose shorter side is made `shorter` long; its longer side at most `max_size`,
/// if that is not 0. As torchvision rounds: down, but at least 1. @pre all extents are at least 1
[[nodiscard]] cv::Size resized_size(cv::Size from, std::int64_t shorter, std::int64_t max_size) noexcept;

/// As torchvision's Resize; with `antialias` its results for PIL images, bit for bit. Errors: bad_config for values out of
/// range and a `max_size` that is not larger than the one number of `size`.
[[nodiscard]] expected<std::unique_ptr<transform>> make_resize(const resize_config& config, const image_shape& input);

} // namespace troupe
