/// Cuts a window that may reach outside of the image.
#pragma once

#include "actors/augmenter/transforms/working_image.hpp"
#include "actors/support/expected.hpp"

#include <opencv2/core/types.hpp>

namespace troupe {

/// The current pixels become those of `window`, relative to the image; pixels outside of it are `fill`. Copies and
/// decodes nothing that is not needed. Errors: those of `working_image::crop`.
[[nodiscard]] expected<void> cut_window(working_image& image, const cv::Rect& window, const cv::Scalar& fill);

} // namespace troupe
