/// Pixels that a plugin is given to write to.
#pragma once

#include "actors/support/components/guarded_block.hpp"
#include "actors/support/image_shape.hpp"

#include <memory>
#include <opencv2/core/mat.hpp>
#include <string>

namespace troupe {

/// The pixels of an image, lent to a plugin: the image's own memory, or in a checked build a copy of it that notices
/// what is written beside it. Knows nothing of what surrounds the image in memory, so that no filter looks there.
class lent_pixels {
public:
  /// @pre `pixels` are continuous and outlive this object
  explicit lent_pixels(const cv::Mat& pixels);

  /// For the plugin, which may assign it another image.
  [[nodiscard]] cv::Mat& mat() noexcept { return mat_; }

  /// False if somebody has written beside the pixels. Always true where nobody checks.
  [[nodiscard]] bool intact() const noexcept { return !block_ || block_->intact(); }

  /// Whether `mat` is still the image that was lent, of the same size and type.
  [[nodiscard]] bool in_place() const noexcept;

  /// The change is wanted: brings it into the image's own memory. @pre in_place()
  void give_back();

private:
  cv::Mat own_;
  std::unique_ptr<guarded_block> block_; ///< Null: `mat_` is the image itself.
  cv::Mat mat_;
  const unsigned char* first_ = nullptr;
};

/// What is wrong with an image that a plugin has made: "3x5x5 of 8 bits, expected 1x5x5 of 8 bits"; empty: nothing.
/// Height and width of 0 in `wanted`: any of 1..32767.
[[nodiscard]] std::string misfit_of(const cv::Mat& made, const image_shape& wanted);

/// The type of OpenCV's images of that shape.
[[nodiscard]] int mat_type_of(const image_shape& shape) noexcept;

} // namespace troupe
