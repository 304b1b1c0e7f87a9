/// One step on the numbers of a whole training batch, brought by a plugin.
#pragma once

#include "actors/support/rng.hpp"
#include "messages/batch_buffer.hpp"

#include <cstdint>
#include <span>

namespace troupe {

/// The samples of a batch, normalised. `pixels` are [num_samples, C, H, W], or [num_samples, H, W, C] if
/// `layout.channels_last`, whatever the type of the buffer is.
struct batch_pixels {
  batch_layout layout;
  std::uint32_t num_samples = 0;
  std::span<float> pixels;
  std::span<const std::int64_t> labels;
  std::span<const std::uint64_t> sample_ids;
  std::uint64_t epoch = 0; ///< 0-based.
  std::uint64_t index = 0; ///< Of the batch in its epoch, 0-based.
};

/// Immutable. What it throws leaves the samples of the batch out.
class batch_transform {
public:
  batch_transform() = default;
  batch_transform(const batch_transform&) = delete;
  batch_transform& operator=(const batch_transform&) = delete;
  virtual ~batch_transform() = default;

  /// Changes the pixels in place. `rng` belongs to (seed, epoch, index) and this step: draw from nothing else.
  virtual void apply(const batch_pixels& batch, sample_rng& rng) const = 0;
};

} // namespace troupe
