/// Memory for pixels that is kept from image to image.
#pragma once

#include <cstddef>
#include <opencv2/core/mat.hpp>
#include <vector>

namespace troupe {

/// Grows to the largest image that it has held. The images it returns are its memory: valid until the next call.
class pixel_buffer {
public:
  [[nodiscard]] cv::Mat image(cv::Size size, int type) {
    const auto num_bytes =
      static_cast<std::size_t>(size.width) * static_cast<std::size_t>(size.height) * CV_ELEM_SIZE(type);
    if (bytes_.size() < num_bytes)
      bytes_ = std::vector<unsigned char>(num_bytes);
    return {size, type, bytes_.data()};
  }

private:
  std::vector<unsigned char> bytes_;
};

} // namespace troupe
