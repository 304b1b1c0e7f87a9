#include "actors/augmenter/transforms/working_image.hpp"

#include <cassert>
#include <opencv2/core.hpp>

namespace troupe {

working_image::working_image(std::span<const std::byte> bytes, const image_shape& shape, scratch& memory)
  : pixels_(shape.height, shape.width, CV_8UC(shape.channels), const_cast<std::byte*>(bytes.data())), scratch_(memory) {
  assert(bytes.size() == shape.num_elements());
}

working_image::working_image(std::span<const std::byte> bytes, const image_header& header, image_decoder& decoder,
                             scratch& memory)
  : file_(bytes), header_(&header), decoder_(&decoder), scratch_(memory) {}

cv::Size working_image::size() const noexcept {
  return header_ == nullptr ? pixels_.size() : header_->oriented_size();
}

expected<void> working_image::decode() {
  if (header_ == nullptr)
    return {};
  auto decoded = decoder_->decode(file_, *header_);
  if (!decoded)
    return decoded.error();
  pixels_ = *decoded;
  header_ = nullptr;
  return {};
}

expected<void> working_image::crop(const cv::Rect& window) {
  if (header_ != nullptr) {
    auto decoded = decoder_->decode_region(file_, *header_, window, window.size());
    if (!decoded)
      return decoded.error();
    header_ = nullptr;
    pixels_ = decoded->pixels(cv::Rect(decoded->region)); // At full scale, so on whole pixels.
    return {};
  }
  pixels_ = pixels_(window);
  return {};
}

expected<void> working_image::resize(const cv::Rect& box, cv::Size size, interpolation filter, bool antialias) {
  cv::Rect2d region = box;
  if (header_ != nullptr) {
    auto decoded = decoder_->decode_region(file_, *header_, box, size);
    if (!decoded)
      return decoded.error();
    header_ = nullptr;
    pixels_ = decoded->pixels;
    region = decoded->region;
  }
  const cv::Rect window(region);
  if (cv::Rect2d(window) == region) { // What lies around the box does not count, as where one crops and then resizes.
    pixels_ = pixels_(window);
    region -= region.tl();
    if (window.size() == size)
      return {};
  }
  replace(size, [&](const cv::Mat& from, cv::Mat& to) {
    troupe::resize(from, region, to, filter, antialias, scratch_.resizing);
  });
  return {};
}

cv::Mat& working_image::writable() {
  if (!owned_)
    replace(pixels_.size(), [](const cv::Mat& from, cv::Mat& to) { from.copyTo(to); });
  return pixels_;
}

cv::Mat working_image::free_buffer(cv::Size size, int type) {
  auto& buffer = scratch_.buffers[free_];
  const auto num_bytes =
    static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * CV_ELEM_SIZE(type);
  if (buffer.size() < num_bytes)
    buffer.resize(num_bytes);
  return {size, type, buffer.data()};
}

void working_image::take(const cv::Mat& next) {
  assert(next.data == scratch_.buffers[free_].data()); // OpenCV allocates anew where the size does not fit.
  pixels_ = next;
  free_ = 1 - free_;
  owned_ = true;
}

} // namespace troupe
