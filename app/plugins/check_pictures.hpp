/// Made-up pictures in memory that notices who writes beside it.
#pragma once

#include "actors/support/components/guarded_block.hpp"
#include "actors/support/image_shape.hpp"

#include <opencv2/core/mat.hpp>

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// A picture's bytes and what they are.
struct picture {
  image_shape shape;
  std::vector<std::byte> bytes;
  friend bool operator==(const picture&, const picture&) = default;
};

/// Copies the image; throws std::runtime_error for one that is no picture: empty, of floats, of more than 4 channels.
[[nodiscard]] picture picture_of(const cv::Mat& image);

/// Memory for a picture of that shape, and an image over it.
class guarded_picture {
public:
  explicit guarded_picture(const image_shape& shape);

  /// A gradient with noise, another one for each id.
  void draw(std::uint64_t id);

  [[nodiscard]] cv::Mat image() noexcept;
  [[nodiscard]] bool intact() const noexcept { return memory_->intact(); }
  [[nodiscard]] std::size_t num_bytes() const noexcept { return memory_->size(); }

private:
  image_shape shape_;
  std::unique_ptr<guarded_block> memory_;
};

/// What keeps `found` from being what `declared` says; empty: nothing. Height and width 0 mean any.
[[nodiscard]] std::string shape_problem(const image_shape& found, const image_shape& declared);

/// "3x64x48, 8 bits"
[[nodiscard]] std::string shape_text(const image_shape& shape);

} // namespace troupe
