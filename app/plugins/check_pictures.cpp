#include "app/plugins/check_pictures.hpp"

#include "actors/support/rng.hpp"

#include <fmt/format.h>

#include <cstring>
#include <stdexcept>

namespace troupe {

namespace {

constexpr int max_channels = 4;

int cv_type(const image_shape& shape) {
  return CV_MAKETYPE(shape.bits == 16 ? CV_16U : CV_8U, shape.channels);
}

std::size_t bytes_of(const image_shape& shape) {
  return shape.num_elements() * static_cast<std::size_t>(shape.bits / 8);
}

} // namespace

picture picture_of(const cv::Mat& image) {
  const bool known = image.depth() == CV_8U || image.depth() == CV_16U;
  if (image.empty() || image.dims != 2 || !known || image.channels() > max_channels)
    throw std::runtime_error(fmt::format("an image of {} dimensions, {} x {}, {} channels, OpenCV depth {} was left, "
                                         "expected a picture of 8 or 16 bits unsigned",
                                         image.dims, image.rows, image.cols, image.channels(), image.depth()));
  picture out{{image.channels(), image.rows, image.cols, image.depth() == CV_8U ? 8 : 16}, {}};
  const auto row_bytes = static_cast<std::size_t>(image.cols) * image.elemSize();
  out.bytes.resize(row_bytes * static_cast<std::size_t>(image.rows));
  for (int y = 0; y < image.rows; ++y)
    std::memcpy(out.bytes.data() + static_cast<std::size_t>(y) * row_bytes, image.ptr(y), row_bytes);
  return out;
}

guarded_picture::guarded_picture(const image_shape& shape)
  : shape_(shape), memory_(std::make_unique<guarded_block>(bytes_of(shape))) {}

void guarded_picture::draw(std::uint64_t id) {
  sample_rng rng{1, 0, id, sample_rng::first_reserved_stream - 1};
  const auto row_bytes = memory_->size() / static_cast<std::size_t>(shape_.height);
  for (std::size_t i = 0; i < memory_->size(); ++i)
    memory_->data()[i] = static_cast<std::byte>(i / row_bytes * 2 + i % row_bytes + rng.below(64));
}

cv::Mat guarded_picture::image() noexcept {
  return {shape_.height, shape_.width, cv_type(shape_), memory_->data()};
}

std::string shape_problem(const image_shape& found, const image_shape& declared) {
  const bool any_size = !declared.fixed();
  if (found.channels == declared.channels && found.bits == declared.bits
      && (any_size || (found.height == declared.height && found.width == declared.width)))
    return {};
  return fmt::format("it is {}, expected {} as declared", shape_text(found), shape_text(declared));
}

std::string shape_text(const image_shape& shape) {
  return fmt::format("{}, {} bits", to_string(shape), shape.bits);
}

} // namespace troupe
