/// What every transform of pixels can do. To add one: its config in transform_config.hpp, a file with a `make_...` function,
/// and its line in transform_pipeline.cpp.
#pragma once

#include "actors/augmenter/working_image.hpp"
#include "actors/support/rng.hpp"

namespace troupe {

/// One random step on 8-bit pixels. Immutable, without state between calls: any thread may apply it at any time.
class transform {
public:
  transform() = default;
  transform(const transform&) = delete;
  transform& operator=(const transform&) = delete;
  virtual ~transform() = default;

  /// The shape that `apply` leaves behind.
  [[nodiscard]] virtual image_shape output_shape() const noexcept = 0;

  /// Changes the image; draws from `rng`, which belongs to this sample and this transform, and from nothing else.
  virtual void apply(working_image& image, sample_rng& rng) const = 0;
};

} // namespace troupe
