#include "actors/support/imaging/pixel_hash.hpp"

#include <cassert>
#include <cstddef>

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace troupe {

namespace {

/// Different for all images with sides below 2^24: the bytes alone do not tell 2 x 3 from 3 x 2.
std::uint64_t seed_of(const cv::Mat& pixels) noexcept {
  return static_cast<std::uint64_t>(pixels.rows) << 40 | static_cast<std::uint64_t>(pixels.cols) << 16
         | static_cast<std::uint64_t>(pixels.channels()) << 8 | pixels.elemSize1() * 8;
}

} // namespace

std::uint64_t pixel_hash(const cv::Mat& pixels) noexcept {
  assert(pixels.dims <= 2);
  const auto seed = seed_of(pixels);
  const auto row_bytes = static_cast<std::size_t>(pixels.cols) * pixels.elemSize();
  if (pixels.isContinuous())
    return XXH3_64bits_withSeed(pixels.data, row_bytes * static_cast<std::size_t>(pixels.rows), seed);
  XXH3_state_t state; // Fed row by row, it gives what all bytes at once do.
  XXH3_64bits_reset_withSeed(&state, seed);
  for (int y = 0; y < pixels.rows; ++y)
    XXH3_64bits_update(&state, pixels.ptr(y), row_bytes);
  return XXH3_64bits_digest(&state);
}

} // namespace troupe
