/// What every transform of pixels can do. To add one: its config in transform_config.hpp, a file with a `make_...` function,
/// and its line in transform_pipeline.cpp.
#pragma once

#include "actors/augmenter/transforms/working_image.hpp"
#include "actors/support/expected.hpp"
#include "actors/support/rng.hpp"

namespace troupe {

/// One random step on pixels. Immutable, without state between calls: any thread may apply it at any time.
class transform {
public:
  transform() = default;
  transform(const transform&) = delete;
  transform& operator=(const transform&) = delete;
  virtual ~transform() = default;

  /// The shape that `apply` leaves behind; not fixed if it depends on the image.
  [[nodiscard]] virtual image_shape output_shape() const noexcept = 0;

  /// True if `apply` uses `working_image::crop` and `resize` alone: the image may come undecoded, so that only what is
  /// needed is decoded.
  [[nodiscard]] virtual bool takes_undecoded() const noexcept { return false; }

  /// Changes the image; draws from `rng`, which belongs to this sample and this transform, and from nothing else. Says
  /// what it drew in `image.note()`, if there is one; the pixels and the draws are the same without.
  /// Errors: bad_data for an image that it cannot be applied to, and what `crop` and `resize` return.
  [[nodiscard]] virtual expected<void> apply(working_image& image, sample_rng& rng) const = 0;
};

} // namespace troupe
