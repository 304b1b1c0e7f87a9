/// A format of image files, brought by a plugin.
#pragma once

#include "actors/support/image_shape.hpp"

#include <cstddef>
#include <span>
#include <string>
#include <vector>

namespace cv {
class Mat;
}

namespace troupe {

/// Immutable: any number of threads call it at the same time. What it throws makes the sample a bad one.
class sample_decoder {
public:
  sample_decoder() = default;
  sample_decoder(const sample_decoder&) = delete;
  sample_decoder& operator=(const sample_decoder&) = delete;
  virtual ~sample_decoder() = default;

  /// Extensions of such files in lower case, without a dot: what a folder of images is searched for. They decide
  /// nothing else.
  [[nodiscard]] virtual std::vector<std::string> extensions() const = 0;

  /// Tells by the first bytes whether the file is of this format. Called for every file: look at few bytes.
  [[nodiscard]] virtual bool recognises(std::span<const std::byte> bytes) const = 0;

  /// What the image will be, without decoding it: 1 (grey) or 3 (RGB) channels of 8 or 16 bits. @pre recognised
  [[nodiscard]] virtual image_shape shape(std::span<const std::byte> bytes) const = 0;

  /// Decodes into `image`, which has that shape. @pre recognised
  virtual void decode(std::span<const std::byte> bytes, cv::Mat& image) const = 0;
};

} // namespace troupe
