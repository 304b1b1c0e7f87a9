/// A whole batch as the network reads it: borrowed memory, no ownership.
#pragma once

#include "messages/batch_buffer.hpp"

#include <cstddef>
#include <cstdint>

namespace troupe {

/// `num_samples` images and labels that lie one after another. Rows past `num_samples` of a longer buffer are not read.
/// Pixels: [N, H, W, C] if `channels_last`, else [N, C, H, W]; already normalised. Labels: class indices.
struct batch_view {
  void* pixels = nullptr;
  std::int64_t* labels = nullptr;
  std::int64_t num_samples = 0;
  bool channels_last = true;
  pixel_type type = pixel_type::float32;
  float* weights = nullptr; ///< Factors of the samples' losses; null: all 1.
  double own_share = 1;     ///< `batch_ref::own_share`
  bool tail = false;        ///< Shorter than the batches are meant to be.
};

/// The slots of `buffer` that `batch` uses.
[[nodiscard]] inline batch_view view_of(const batch_buffer& buffer, const batch_ref& batch) noexcept {
  const auto& layout = buffer.layout();
  return {buffer.pixels(), buffer.labels().data(),  batch.num_samples, layout.channels_last,
          layout.type,     buffer.weights().data(), batch.own_share,   batch.num_samples < layout.capacity};
}

} // namespace troupe
