/// One step on the pixels of a sample, brought by a plugin.
#pragma once

#include "actors/support/image_shape.hpp"
#include "actors/support/rng.hpp"

#include <cstdint>
#include <string>

namespace cv {
class Mat;
}

namespace troupe {

/// What a transform is told besides the pixels.
struct transform_context {
  sample_rng& rng;             ///< Belongs to this sample, epoch and place in the list: draw from nothing else.
  std::uint64_t sample = 0;    ///< Index in the data set.
  std::uint64_t epoch = 0;     ///< 0-based.
  std::string* note = nullptr; ///< Where to say what was drawn, in one line with units; null: nobody asks.
};

/// Immutable: any number of threads call it at the same time, in any order. What it throws makes the sample a bad one.
class sample_transform {
public:
  sample_transform() = default;
  sample_transform(const sample_transform&) = delete;
  sample_transform& operator=(const sample_transform&) = delete;
  virtual ~sample_transform() = default;

  /// Shape that `apply` leaves behind, for the input that it was made for; height and width 0: they depend on the image.
  [[nodiscard]] virtual image_shape output_shape() const = 0;

  /// Changes `image` (8 or 16 bits unsigned, channels interleaved, RGB or grey) in place, or assigns another one.
  virtual void apply(cv::Mat& image, transform_context& context) const = 0;
};

} // namespace troupe
