#include "actors/augmenter/working_image.hpp"

#include <cassert>
#include <opencv2/core.hpp>

namespace troupe {

working_image::working_image(std::span<const std::byte> bytes, const image_shape& shape, buffers& scratch)
  : pixels_(shape.height, shape.width, CV_8UC(shape.channels), const_cast<std::byte*>(bytes.data())),
    scratch_(scratch) {
  assert(bytes.size() == shape.num_elements());
}

cv::Mat& working_image::writable() {
  if (!owned_)
    replace(pixels_.size(), [](const cv::Mat& from, cv::Mat& to) { from.copyTo(to); });
  return pixels_;
}

cv::Mat working_image::free_buffer(cv::Size size) {
  auto& buffer = scratch_[free_];
  const auto num_bytes = static_cast<std::size_t>(size.area()) * pixels_.elemSize();
  if (buffer.size() < num_bytes)
    buffer.resize(num_bytes);
  return {size, pixels_.type(), buffer.data()};
}

void working_image::take(const cv::Mat& next) {
  assert(next.data == scratch_[free_].data()); // OpenCV allocates anew where the size does not fit.
  pixels_ = next;
  free_ = 1 - free_;
  owned_ = true;
}

} // namespace troupe
