#include "actors/support/imaging/lent_pixels.hpp"

#include <cassert>
#include <cstring>

namespace troupe {

namespace {

std::size_t num_bytes_of(const cv::Mat& pixels) {
  return pixels.total() * pixels.elemSize();
}

std::string described(const image_shape& x) {
  const auto sides = x.fixed() ? to_string(x) : std::to_string(x.channels) + "x(1..32767)x(1..32767)";
  return sides + " of " + std::to_string(x.bits) + " bits";
}

std::string described(const cv::Mat& x) {
  if (x.empty() || x.dims != 2)
    return "no image";
  if (x.depth() != CV_8U && x.depth() != CV_16U)
    return "pixels that are not unsigned integers of 8 or 16 bits";
  return described(image_shape{x.channels(), x.rows, x.cols, x.depth() == CV_8U ? 8 : 16});
}

bool has_good_size(const cv::Mat& x, const image_shape& wanted) {
  if (wanted.fixed())
    return x.rows == wanted.height && x.cols == wanted.width;
  return x.rows <= max_image_side && x.cols <= max_image_side;
}

} // namespace

lent_pixels::lent_pixels(const cv::Mat& pixels) : own_(pixels) {
  assert(pixels.isContinuous());
  auto* memory = pixels.data;
  if (checked_build) {
    block_ = std::make_unique<guarded_block>(num_bytes_of(pixels));
    memory = reinterpret_cast<unsigned char*>(block_->data());
    std::memcpy(memory, pixels.data, num_bytes_of(pixels));
  }
  mat_ = cv::Mat(pixels.size(), pixels.type(), memory);
  first_ = memory;
}

bool lent_pixels::in_place() const noexcept {
  return mat_.data == first_ && mat_.dims == 2 && mat_.rows == own_.rows && mat_.cols == own_.cols
         && mat_.type() == own_.type() && mat_.isContinuous();
}

void lent_pixels::give_back() {
  assert(in_place());
  if (block_)
    std::memcpy(own_.data, first_, num_bytes_of(own_));
}

std::string misfit_of(const cv::Mat& made, const image_shape& wanted) {
  if (!made.empty() && made.dims == 2 && made.type() == mat_type_of(wanted) && has_good_size(made, wanted))
    return {};
  return described(made) + ", expected " + described(wanted);
}

int mat_type_of(const image_shape& shape) noexcept {
  return CV_MAKETYPE(shape.bits == 16 ? CV_16U : CV_8U, shape.channels);
}

} // namespace troupe
