/// The run's own way of making samples, lent to actors of plugins.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/image_shape.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/sample.hpp"

#include <cstdint>

namespace cv {
class Mat;
}

namespace troupe {

/// Makes samples as the built-in augmenter does, by the run's decoder and transforms. Immutable; any thread.
class sample_maker {
public:
  sample_maker() = default;
  sample_maker(const sample_maker&) = delete;
  sample_maker& operator=(const sample_maker&) = delete;
  virtual ~sample_maker() = default;

  /// Shape of the pictures.
  [[nodiscard]] virtual image_shape shape() const = 0;

  /// Decodes the sample and applies the run's transforms, all but `normalize`, into `picture`, which gets memory of its
  /// own. Errors: of the sample.
  [[nodiscard]] virtual expected<void> make(const encoded_sample& sample, std::uint64_t epoch,
                                            cv::Mat& picture) const = 0;

  /// Normalises `picture` into slot `i` of the slice. @pre it has `shape()`
  virtual void write(const cv::Mat& picture, const batch_slice& slice, std::uint32_t i) const = 0;

  /// Both at once, without the copy.
  [[nodiscard]] virtual expected<void> fill(const encoded_sample& sample, std::uint64_t epoch, const batch_slice& slice,
                                            std::uint32_t i) const = 0;
};

} // namespace troupe
