/// Makes raw samples to transform.
#pragma once

#include "messages/sample.hpp"

#include <memory>
#include <vector>

namespace troupe::testing {

/// A sample of those pixels, channels interleaved.
inline encoded_sample raw_sample(std::uint64_t id, std::uint32_t channels, std::uint32_t height, std::uint32_t width,
                                 const std::vector<int>& pixels) {
  auto bytes = std::make_shared<std::vector<std::byte>>();
  for (auto pixel : pixels)
    bytes->push_back(static_cast<std::byte>(pixel));
  encoded_sample sample;
  sample.id = id;
  sample.channels = channels;
  sample.height = height;
  sample.width = width;
  sample.bytes = *bytes;
  sample.owner = bytes;
  return sample;
}

/// Pixels 1, 2, 3, ..., 255, 1, 2, ...: never 0, the value of padding.
inline std::vector<int> counting_pixels(std::size_t num_elements) {
  std::vector<int> result(num_elements);
  for (std::size_t i = 0; i < num_elements; ++i)
    result[i] = static_cast<int>(i % 255) + 1;
  return result;
}

} // namespace troupe::testing
