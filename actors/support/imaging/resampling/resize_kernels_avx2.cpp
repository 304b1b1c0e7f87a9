#include "actors/support/imaging/resampling/resize_kernels_avx2.hpp"

#include "actors/support/imaging/resampling/resize_down_avx2.hpp"

#if defined(__x86_64__)

#include <algorithm>
#include <immintrin.h>

#define TROUPE_AVX2 [[gnu::target("avx2")]] inline

namespace troupe {

namespace {

TROUPE_AVX2 __m128i load_16(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}
TROUPE_AVX2 __m256i load_two(const void* low, const void* high) {
  return _mm256_inserti128_si256(_mm256_castsi128_si256(load_16(low)), load_16(high), 1);
}

TROUPE_AVX2 void store_16(__m128i bytes, unsigned char* to) {
  _mm_storeu_si128(reinterpret_cast<__m128i*>(to), bytes);
}

/// In each half of the register: the first two pixels' channels side by side, as 16-bit numbers. `pair` 1: the next two.
template <int Channels>
TROUPE_AVX2 __m256i pair_shuffle(int pair) {
  alignas(16) char bytes[16];
  for (int i = 0; i < 16; ++i) {
    const int channel = i / 4;
    const int tap = i % 4 / 2 + 2 * pair;
    bytes[i] = static_cast<char>(i % 2 == 1 || channel >= Channels ? -1 : tap * Channels + channel);
  }
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
}

/// Rows in pairs, one in each half of a register; two pairs at a time, to use a weight more than once when it is loaded.
constexpr int num_pairs = 2;

struct row_block {
  const unsigned char* from[2 * num_pairs];
  unsigned char* to[2 * num_pairs];
};

/// One pixel of the block: channels of 32 bits.
struct pixel_block {
  __m256i rows[num_pairs];
};

struct pixel_sums {
  pixel_block low;
  pixel_block high;
};

/// Adds two neighbouring pixels of every row.
TROUPE_AVX2 void add_pair(pixel_sums& sums, const pixel_block& pixels, __m256i shuffle, const std::int32_t* split) {
  const auto low = _mm256_set1_epi32(split[0]);
  const auto high = _mm256_set1_epi32(split[1]);
  for (int i = 0; i < num_pairs; ++i) {
    const auto pair = _mm256_shuffle_epi8(pixels.rows[i], shuffle);
    sums.low.rows[i] = _mm256_add_epi32(sums.low.rows[i], _mm256_madd_epi16(pair, low));
    sums.high.rows[i] = _mm256_add_epi32(sums.high.rows[i], _mm256_madd_epi16(pair, high));
  }
}

TROUPE_AVX2 pixel_block load_block(const row_block& rows, std::ptrdiff_t at) {
  pixel_block result;
  for (int i = 0; i < num_pairs; ++i)
    result.rows[i] = load_two(rows.from[2 * i] + at, rows.from[2 * i + 1] + at);
  return result;
}

/// Pixel `x` of all rows, before it is cut to 8 bits. `Taps`: their number, for the compiler, or 0.
template <int Channels, int Taps>
TROUPE_AVX2 pixel_block pixel_across(const row_block& rows, const resize_axis& axis, int x) {
  const int num_taps = Taps == 0 ? axis.num_taps : Taps;
  const auto first = pair_shuffle<Channels>(0);
  const auto second = pair_shuffle<Channels>(1);
  auto at = static_cast<std::ptrdiff_t>(axis.starts[x]) * Channels;
  const auto* split = axis.split + static_cast<std::ptrdiff_t>(x) * num_taps;
  pixel_sums sums;
  for (int i = 0; i < num_pairs; ++i) {
    sums.low.rows[i] = _mm256_set1_epi32(1 << (weight_bits - 1));
    sums.high.rows[i] = _mm256_setzero_si256();
  }
  int tap = 0;
  for (; tap + 4 <= num_taps; tap += 4, at += 4 * Channels, split += 4) {
    const auto pixels = load_block(rows, at);
    add_pair(sums, pixels, first, split);
    add_pair(sums, pixels, second, split + 2);
  }
  if (tap < num_taps)
    add_pair(sums, load_block(rows, at), first, split);
  for (int i = 0; i < num_pairs; ++i) {
    const auto sum = _mm256_add_epi32(sums.low.rows[i], _mm256_slli_epi32(sums.high.rows[i], 16));
    sums.low.rows[i] = _mm256_srai_epi32(sum, weight_bits);
  }
  return sums.low;
}

/// Takes out the fourth byte of four.
template <int Channels>
TROUPE_AVX2 __m256i close_gaps(__m256i pixels) {
  if constexpr (Channels == 4)
    return pixels;
  return _mm256_shuffle_epi8(
    pixels, _mm256_broadcastsi128_si256(_mm_setr_epi8(0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, -1, -1, -1, -1)));
}

template <int Channels, int Taps>
TROUPE_AVX2 void block_across(const row_block& rows, const resize_axis& axis) {
  static_assert(resize_axis::step == 4);
  for (int x = 0; x < axis.size; x += 4) {
    const auto a = pixel_across<Channels, Taps>(rows, axis, x);
    const auto b = pixel_across<Channels, Taps>(rows, axis, x + 1);
    const auto c = pixel_across<Channels, Taps>(rows, axis, x + 2);
    const auto d = pixel_across<Channels, Taps>(rows, axis, x + 3);
    const auto at = static_cast<std::ptrdiff_t>(x) * Channels;
    for (int i = 0; i < num_pairs; ++i) {
      const auto left = _mm256_packs_epi32(a.rows[i], b.rows[i]);
      const auto right = _mm256_packs_epi32(c.rows[i], d.rows[i]);
      const auto pixels = close_gaps<Channels>(_mm256_packus_epi16(left, right));
      store_16(_mm256_castsi256_si128(pixels), rows.to[2 * i] + at);
      store_16(_mm256_extracti128_si256(pixels, 1), rows.to[2 * i + 1] + at);
    }
  }
}

/// The usual numbers of taps have loops of their own.
template <int Channels>
void block_across(const row_block& rows, const resize_axis& axis) {
  switch (axis.num_taps) {
  case 2:
    return block_across<Channels, 2>(rows, axis);
  case 4:
    return block_across<Channels, 4>(rows, axis);
  case 6:
    return block_across<Channels, 6>(rows, axis);
  case 8:
    return block_across<Channels, 8>(rows, axis);
  default:
    return block_across<Channels, 0>(rows, axis);
  }
}

/// Row `y` of the group, or its last one.
std::size_t row_at(const row_group& rows, int y) {
  return static_cast<std::size_t>(std::min(y, rows.num_rows - 1));
}

template <int Channels>
void colours_across(const row_group& rows, const resize_axis& axis) {
  for (int y = 0; y < rows.num_rows; y += 2 * num_pairs) {
    row_block block;
    for (int i = 0; i < 2 * num_pairs; ++i) {
      const auto row = row_at(rows, y + i);
      block.from[i] = rows.from[row];
      block.to[i] = rows.to + row * rows.to_step;
    }
    block_across<Channels>(block, axis);
  }
}

/// Four vectors of 16 bytes, as columns of four bytes: the first of all four, the second of all four, ...
TROUPE_AVX2 void interleave(const unsigned char* const* from, std::ptrdiff_t at, unsigned char* to) {
  const auto a = load_16(from[0] + at);
  const auto b = load_16(from[1] + at);
  const auto c = load_16(from[2] + at);
  const auto d = load_16(from[3] + at);
  const __m128i halves[] = {_mm_unpacklo_epi8(a, b), _mm_unpackhi_epi8(a, b), _mm_unpacklo_epi8(c, d),
                            _mm_unpackhi_epi8(c, d)};
  auto* out = to + 4 * at;
  store_16(_mm_unpacklo_epi16(halves[0], halves[2]), out);
  store_16(_mm_unpackhi_epi16(halves[0], halves[2]), out + 16);
  store_16(_mm_unpacklo_epi16(halves[1], halves[3]), out + 32);
  store_16(_mm_unpackhi_epi16(halves[1], halves[3]), out + 48);
}

TROUPE_AVX2 __m128i columns_of_4(const unsigned char* from) {
  return _mm_shuffle_epi8(load_16(from), _mm_setr_epi8(0, 4, 8, 12, 1, 5, 9, 13, 2, 6, 10, 14, 3, 7, 11, 15));
}

/// The way back, for `size` columns and up to 15 more.
TROUPE_AVX2 void separate(const unsigned char* from, int size, unsigned char* const* to) {
  for (std::ptrdiff_t at = 0; at < size; at += 16) {
    const auto a = columns_of_4(from + 4 * at);
    const auto b = columns_of_4(from + 4 * at + 16);
    const auto c = columns_of_4(from + 4 * at + 32);
    const auto d = columns_of_4(from + 4 * at + 48);
    const __m128i halves[] = {_mm_unpacklo_epi32(a, b), _mm_unpackhi_epi32(a, b), _mm_unpacklo_epi32(c, d),
                              _mm_unpackhi_epi32(c, d)};
    store_16(_mm_unpacklo_epi64(halves[0], halves[2]), to[0] + at);
    store_16(_mm_unpackhi_epi64(halves[0], halves[2]), to[1] + at);
    store_16(_mm_unpacklo_epi64(halves[1], halves[3]), to[2] + at);
    store_16(_mm_unpackhi_epi64(halves[1], halves[3]), to[3] + at);
  }
}

/// Four grey rows are one row of pixels with four channels.
TROUPE_AVX2 void grey_across(const row_group& rows, const resize_axis& axis) {
  static_assert(row_group::most_rows == 4 * 2 * num_pairs);
  const unsigned char* from[row_group::most_rows];
  unsigned char* to[row_group::most_rows];
  for (int y = 0; y < row_group::most_rows; ++y) {
    from[y] = rows.from[row_at(rows, y)];
    to[y] = rows.to + row_at(rows, y) * rows.to_step;
  }
  row_block block;
  auto* memory = rows.interleaved;
  for (int i = 0; i < 2 * num_pairs; ++i) {
    block.from[i] = memory;
    for (std::ptrdiff_t x = 0; x < rows.width; x += 16)
      interleave(from + 4 * static_cast<std::ptrdiff_t>(i), x, memory);
    memory += 4 * (static_cast<std::size_t>(rows.width) + row_group::slack);
    block.to[i] = memory;
    memory += 4 * (static_cast<std::size_t>(axis.size) + row_group::slack);
  }
  block_across<4>(block, axis);
  for (int i = 0; i < 2 * num_pairs; ++i)
    separate(block.to[i], axis.size, to + 4 * static_cast<std::ptrdiff_t>(i));
}

void across(const row_group& rows, const resize_axis& axis) {
  if (axis.num_taps % 2 != 0 || rows.channels == 2)
    return plain_kernels_8.across(rows, axis);
  if (rows.channels == 3)
    return colours_across<3>(rows, axis);
  if (rows.channels == 4)
    return colours_across<4>(rows, axis);
  return grey_across(rows, axis);
}

} // namespace

const resize_kernels* avx2_kernels() noexcept {
  static const resize_kernels kernels{1, across, down_avx2};
  return __builtin_cpu_supports("avx2") != 0 ? &kernels : nullptr;
}

} // namespace troupe

#else

const troupe::resize_kernels* troupe::avx2_kernels() noexcept {
  return nullptr;
}

#endif
