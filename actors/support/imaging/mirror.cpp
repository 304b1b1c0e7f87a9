#include "actors/support/imaging/mirror.hpp"

#include <opencv2/core.hpp>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace troupe {

namespace {

using row_mirror = void (*)(const unsigned char* from, unsigned char* to, int num_pixels) noexcept;

#if defined(__x86_64__)
constexpr int pixels_at_once = 5; ///< 15 of a register's 16 bytes.

/// Five pixels at a time: loads 16 bytes that begin one byte before them, stores 16 of which the last is overwritten by
/// the next. So the row's first pixel and what is left at its end are done one by one.
[[gnu::target("ssse3")]] void mirror_rgb_row_ssse3(const unsigned char* from, unsigned char* to,
                                                   int num_pixels) noexcept {
  const __m128i order = _mm_setr_epi8(13, 14, 15, 10, 11, 12, 7, 8, 9, 4, 5, 6, 1, 2, 3, 0);
  int left = num_pixels;
  for (; left > pixels_at_once; left -= pixels_at_once, to += 3 * pixels_at_once) {
    const auto* group = from + 3 * (left - pixels_at_once) - 1;
    const auto pixels = _mm_loadu_si128(reinterpret_cast<const __m128i*>(group));
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), _mm_shuffle_epi8(pixels, order));
  }
  mirror_rgb_row(from, to, left);
}
#endif

row_mirror fastest_row_mirror() noexcept {
#if defined(__x86_64__)
  if (__builtin_cpu_supports("ssse3"))
    return mirror_rgb_row_ssse3;
#endif
  return mirror_rgb_row;
}

} // namespace

void mirror_rgb_row(const unsigned char* from, unsigned char* to, int num_pixels) noexcept {
  for (const auto* pixel = from + 3 * (num_pixels - 1); pixel >= from; pixel -= 3, to += 3) {
    to[0] = pixel[0];
    to[1] = pixel[1];
    to[2] = pixel[2];
  }
}

void mirror(const cv::Mat& from, cv::Mat& to) {
  if (from.type() != CV_8UC3) {
    constexpr int around_vertical_axis = 1;
    cv::flip(from, to, around_vertical_axis);
    return;
  }
  static const row_mirror mirror_row = fastest_row_mirror();
  for (int y = 0; y < from.rows; ++y)
    mirror_row(from.ptr(y), to.ptr(y), from.cols);
}

} // namespace troupe
