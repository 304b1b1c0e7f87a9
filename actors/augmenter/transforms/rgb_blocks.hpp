/// Lets functions work on runs of RGB pixels as three arrays, which compilers vectorise.
#pragma once

#include <algorithm>
#include <array>
#include <cassert>
#include <opencv2/core/mat.hpp>

namespace troupe {

/// Some pixels of a row, by channel; values 0..255.
struct rgb_block {
  static constexpr int capacity = 256;
  alignas(64) std::array<float, capacity> red;
  alignas(64) std::array<float, capacity> green;
  alignas(64) std::array<float, capacity> blue;
};

/// Calls `change(block, num_pixels)` for all pixels, a block at a time, and stores what it leaves, rounded down.
/// @pre `pixels` are CV_8UC3; results are within 0..255.
template <class Change>
void change_rgb(cv::Mat& pixels, Change change) {
  assert(pixels.type() == CV_8UC3);
  rgb_block block;
  for (int y = 0; y < pixels.rows; ++y) {
    auto* row = pixels.ptr<unsigned char>(y);
    for (int left = pixels.cols; left > 0; left -= rgb_block::capacity) {
      const auto n = static_cast<std::size_t>(std::min(left, rgb_block::capacity));
      for (std::size_t i = 0; i < n; ++i) {
        block.red[i] = row[3 * i];
        block.green[i] = row[3 * i + 1];
        block.blue[i] = row[3 * i + 2];
      }
      change(block, n);
      for (std::size_t i = 0; i < n; ++i, row += 3) {
        row[0] = static_cast<unsigned char>(static_cast<int>(block.red[i]));
        row[1] = static_cast<unsigned char>(static_cast<int>(block.green[i]));
        row[2] = static_cast<unsigned char>(static_cast<int>(block.blue[i]));
      }
    }
  }
}

} // namespace troupe
