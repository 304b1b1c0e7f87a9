/// A whole batch as the network reads it: borrowed memory, no ownership.
#pragma once

#include <cstdint>

namespace troupe {

/// `num_samples` images and labels that lie one after another. Rows past `num_samples` of a longer buffer are not read.
/// Pixels: [N, H, W, C] if `channels_last`, else [N, C, H, W]; float, already normalised. Labels: class indices.
struct batch_view {
  float* pixels = nullptr;
  std::int64_t* labels = nullptr;
  std::int64_t num_samples = 0;
  bool channels_last = true;
};

} // namespace troupe
