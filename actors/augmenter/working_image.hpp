/// An image on its way through a list of transforms, without a copy or an allocation that could be spared.
#pragma once

#include "actors/augmenter/image_shape.hpp"

#include <array>
#include <opencv2/core/mat.hpp>
#include <span>
#include <vector>

namespace troupe {

/// The current pixels: 8 bits, channels interleaved. They start as somebody else's bytes, which are never written to;
/// what transforms write goes to two buffers in turn. The buffers grow to the largest image and are kept.
class working_image {
public:
  /// Two buffers that outlive the images; one user at a time.
  using buffers = std::array<std::vector<unsigned char>, 2>;

  /// @pre `bytes` are `shape.num_elements()` and outlive this object, as do `scratch`.
  working_image(std::span<const std::byte> bytes, const image_shape& shape, buffers& scratch);

  /// The current pixels, perhaps a window into a larger image; read only.
  [[nodiscard]] const cv::Mat& pixels() const noexcept { return pixels_; }

  /// The same pixels in a buffer of ours, to change in place.
  [[nodiscard]] cv::Mat& writable();

  /// Shows `window` of the current pixels from now on; no copy.
  void show(const cv::Rect& window) { pixels_ = pixels_(window); }

  /// Calls `write(from, to)`, which makes new pixels of `size` out of the current ones; these are then the current ones.
  template <class Write>
  void replace(cv::Size size, Write write) {
    cv::Mat next = free_buffer(size);
    write(pixels_, next);
    take(next);
  }

private:
  [[nodiscard]] cv::Mat free_buffer(cv::Size size);
  void take(const cv::Mat& next);

  cv::Mat pixels_;
  buffers& scratch_;
  std::size_t free_ = 0; ///< The buffer that `pixels_` is not in.
  bool owned_ = false;   ///< `pixels_` are in a buffer of ours.
};

} // namespace troupe
