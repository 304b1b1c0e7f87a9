#include "actors/support/imaging/resampling/resize_down_avx2.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <immintrin.h>

#define TROUPE_AVX2 [[gnu::target("avx2")]] inline

namespace troupe {

namespace {

TROUPE_AVX2 __m256i load_32(const void* from) {
  return _mm256_loadu_si256(static_cast<const __m256i*>(from));
}

/// Sums for 32 columns: products with the low parts of the weights, and with the high parts in 16 bits. In the order in
/// which instructions that work on halves leave them.
struct column_sums {
  __m256i low[4];
  __m256i high[2];
};

/// Adds 32 columns of two rows.
TROUPE_AVX2 void add_rows(column_sums& sums, const unsigned char* row, std::size_t step, const std::int32_t* split) {
  const auto zero = _mm256_setzero_si256();
  const auto low = _mm256_set1_epi32(split[0]);
  const auto high = _mm256_set1_epi32(split[1]);
  const auto high_bytes = _mm256_packs_epi16(high, high);
  const auto a = load_32(row);
  const auto b = load_32(row + step);
  const __m256i pairs[] = {_mm256_unpacklo_epi8(a, b), _mm256_unpackhi_epi8(a, b)};
  for (int i = 0; i < 2; ++i) {
    sums.high[i] = _mm256_add_epi16(sums.high[i], _mm256_maddubs_epi16(pairs[i], high_bytes));
    const auto left = _mm256_madd_epi16(_mm256_unpacklo_epi8(pairs[i], zero), low);
    const auto right = _mm256_madd_epi16(_mm256_unpackhi_epi8(pairs[i], zero), low);
    sums.low[2 * i] = _mm256_add_epi32(sums.low[2 * i], left);
    sums.low[2 * i + 1] = _mm256_add_epi32(sums.low[2 * i + 1], right);
  }
}

TROUPE_AVX2 __m256i bytes_of(const column_sums& sums) {
  const auto zero = _mm256_setzero_si256();
  __m256i words[2];
  for (int i = 0; i < 2; ++i) {
    const auto left = _mm256_add_epi32(sums.low[2 * i], _mm256_unpacklo_epi16(zero, sums.high[i]));
    const auto right = _mm256_add_epi32(sums.low[2 * i + 1], _mm256_unpackhi_epi16(zero, sums.high[i]));
    words[i] = _mm256_packs_epi32(_mm256_srai_epi32(left, weight_bits), _mm256_srai_epi32(right, weight_bits));
  }
  return _mm256_packus_epi16(words[0], words[1]);
}

TROUPE_AVX2 void columns_down(const row_stack& rows, const resize_axis& axis, int output, unsigned char* to) {
  const auto* split = axis.split + static_cast<std::ptrdiff_t>(output) * axis.num_taps;
  const auto half = _mm256_set1_epi32(1 << (weight_bits - 1));
  const auto zero = _mm256_setzero_si256();
  for (std::size_t x = 0; x < rows.num_values;) {
    column_sums sums{{half, half, half, half}, {zero, zero}};
    for (int tap = 0; tap < axis.num_taps; tap += 2)
      add_rows(sums, rows.first + static_cast<std::size_t>(tap) * rows.step + x, rows.step, split + tap);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + x), bytes_of(sums));
    // The last vector ends with the row, whatever of it is done by then.
    const auto next = x + 32;
    x = next >= rows.num_values ? next : std::min(next, rows.num_values - 32);
  }
}

} // namespace

void down_avx2(const row_stack& rows, const resize_axis& axis, int output, unsigned char* to) {
  if (axis.num_taps % 2 != 0 || rows.num_values < 32)
    return plain_kernels_8.down(rows, axis, output, to);
  columns_down(rows, axis, output, to);
}

} // namespace troupe

#endif
