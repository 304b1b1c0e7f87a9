#include "actors/augmenter/transforms/normalize_kernels.hpp"

#include <bit>
#include <cstdint>

#if defined(__x86_64__)
#include <immintrin.h>
#define TROUPE_AVX2 [[gnu::target("avx2")]]
#endif

namespace troupe {

namespace {

void store(float value, float& out) noexcept {
  out = value;
}

/// The upper half of a float, rounded.
void store(float value, std::uint16_t& out) noexcept {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  out = static_cast<std::uint16_t>((bits + 0x7fff + ((bits >> 16U) & 1U)) >> 16U);
}

template <class Value, class Result>
struct plain {
  static void interleaved(const void* values, std::size_t count, const normalize_factors& factors, void* out) {
    const auto* from = static_cast<const Value*>(values);
    auto* to = static_cast<Result*>(out);
    for (std::size_t i = 0; i < count; i += normalize_factors::period)
      for (std::size_t k = 0; k < normalize_factors::period && i + k < count; ++k)
        store(static_cast<float>(from[i + k]) * factors.scale[k] + factors.bias[k], to[i + k]);
  }

  static void planar(const void* pixels, std::size_t count, std::size_t channels, const normalize_factors& factors,
                     void* out, std::size_t plane) {
    for (std::size_t c = 0; c < channels; ++c) {
      const auto* from = static_cast<const Value*>(pixels) + c;
      auto* to = static_cast<Result*>(out) + c * plane;
      for (std::size_t i = 0; i < count; ++i)
        store(static_cast<float>(from[i * channels]) * factors.scale[c] + factors.bias[c], to[i]);
    }
  }

  static constexpr normalize_kernels kernels{interleaved, planar};
};

#if defined(__x86_64__)

TROUPE_AVX2 inline __m128i load_16(const void* from) {
  return _mm_loadu_si128(static_cast<const __m128i*>(from));
}

/// Eight values as 32-bit integers.
TROUPE_AVX2 inline __m256i load_8(const std::uint8_t* from) {
  return _mm256_cvtepu8_epi32(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(from)));
}
TROUPE_AVX2 inline __m256i load_8(const std::uint16_t* from) {
  return _mm256_cvtepu16_epi32(load_16(from));
}

TROUPE_AVX2 inline void store_8(__m256 values, float* out) {
  _mm256_storeu_ps(out, values);
}

TROUPE_AVX2 inline void store_8(__m256 values, std::uint16_t* out) {
  const auto bits = _mm256_castps_si256(values);
  const auto odd = _mm256_and_si256(_mm256_srli_epi32(bits, 16), _mm256_set1_epi32(1));
  const auto sum = _mm256_add_epi32(_mm256_add_epi32(bits, _mm256_set1_epi32(0x7fff)), odd);
  const auto upper = _mm256_srli_epi32(sum, 16);
  const auto packed = _mm256_permute4x64_epi64(_mm256_packus_epi32(upper, upper), 0b1000);
  _mm_storeu_si128(reinterpret_cast<__m128i*>(out), _mm256_castsi256_si128(packed));
}

/// Eight factors and offsets. No fused multiply-add: it would round once, where other machines round twice.
struct factors_8 {
  __m256 scale;
  __m256 bias;
};
TROUPE_AVX2 inline factors_8 load_factors(const normalize_factors& from, std::size_t first) {
  return {_mm256_loadu_ps(from.scale.data() + first), _mm256_loadu_ps(from.bias.data() + first)};
}
TROUPE_AVX2 inline factors_8 repeat_factors(const normalize_factors& from, std::size_t channel) {
  return {_mm256_set1_ps(from.scale[channel]), _mm256_set1_ps(from.bias[channel])};
}
TROUPE_AVX2 inline __m256 apply(const factors_8& factors, __m256i values) {
  return _mm256_add_ps(_mm256_mul_ps(_mm256_cvtepi32_ps(values), factors.scale), factors.bias);
}

template <class Value, class Result>
TROUPE_AVX2 void interleaved_avx2(const void* values, std::size_t count, const normalize_factors& factors, void* out) {
  const auto* from = static_cast<const Value*>(values);
  auto* to = static_cast<Result*>(out);
  const auto a = load_factors(factors, 0);
  const auto b = load_factors(factors, 8);
  const auto c = load_factors(factors, 16);
  std::size_t i = 0;
  for (; i + normalize_factors::period <= count; i += normalize_factors::period) {
    store_8(apply(a, load_8(from + i)), to + i);
    store_8(apply(b, load_8(from + i + 8)), to + i + 8);
    store_8(apply(c, load_8(from + i + 16)), to + i + 16);
  }
  plain<Value, Result>::interleaved(from + i, count - i, factors, to + i);
}

/// Takes one channel out of eight RGB pixels: bytes 0-15 in the lower half, of which four pixels are used, and 8-23 in
/// the upper half, of which the last four are used.
TROUPE_AVX2 inline __m256i channel_shuffle(int channel) {
  const auto offset = _mm256_set1_epi32(channel);
  const auto first = _mm256_setr_epi32(0, 3, 6, 9, 4, 7, 10, 13);
  return _mm256_or_si256(_mm256_add_epi32(first, offset), _mm256_set1_epi32(static_cast<int>(0x80808000U)));
}

template <class Result>
TROUPE_AVX2 void rgb_planes_avx2(const std::uint8_t* from, std::size_t count, const normalize_factors& factors,
                                 Result* to, std::size_t plane) {
  const factors_8 of_channel[] = {repeat_factors(factors, 0), repeat_factors(factors, 1), repeat_factors(factors, 2)};
  const __m256i shuffle[] = {channel_shuffle(0), channel_shuffle(1), channel_shuffle(2)};
  std::size_t i = 0;
  for (; i + 8 <= count; i += 8) {
    const auto lower = _mm256_castsi128_si256(load_16(from + 3 * i));
    const auto pixels = _mm256_inserti128_si256(lower, load_16(from + 3 * i + 8), 1);
    for (std::size_t c = 0; c < 3; ++c)
      store_8(apply(of_channel[c], _mm256_shuffle_epi8(pixels, shuffle[c])), to + c * plane + i);
  }
  plain<std::uint8_t, Result>::planar(from + 3 * i, count - i, 3, factors, to + i, plane);
}

template <class Result>
void planar_avx2(const void* pixels, std::size_t count, std::size_t channels, const normalize_factors& factors,
                 void* out, std::size_t plane) {
  if (channels == 3)
    rgb_planes_avx2(static_cast<const std::uint8_t*>(pixels), count, factors, static_cast<Result*>(out), plane);
  else
    plain<std::uint8_t, Result>::planar(pixels, count, channels, factors, out, plane);
}

template <class Value, class Result>
constexpr normalize_kernels avx2{interleaved_avx2<Value, Result>, plain<Value, Result>::planar};
template <class Result>
constexpr normalize_kernels avx2<std::uint8_t, Result>{interleaved_avx2<std::uint8_t, Result>, planar_avx2<Result>};

const normalize_kernels* avx2_normalize_kernels(int bits, pixel_type type) noexcept {
  if (__builtin_cpu_supports("avx2") == 0)
    return nullptr;
  if (type == pixel_type::float32)
    return bits == 8 ? &avx2<std::uint8_t, float> : &avx2<std::uint16_t, float>;
  return bits == 8 ? &avx2<std::uint8_t, std::uint16_t> : &avx2<std::uint16_t, std::uint16_t>;
}

#else

const normalize_kernels* avx2_normalize_kernels(int, pixel_type) noexcept {
  return nullptr;
}

#endif

} // namespace

const normalize_kernels& plain_normalize_kernels(int bits, pixel_type type) noexcept {
  if (type == pixel_type::float32)
    return bits == 8 ? plain<std::uint8_t, float>::kernels : plain<std::uint16_t, float>::kernels;
  return bits == 8 ? plain<std::uint8_t, std::uint16_t>::kernels : plain<std::uint16_t, std::uint16_t>::kernels;
}

const normalize_kernels& best_normalize_kernels(int bits, pixel_type type) noexcept {
  const auto* fast = avx2_normalize_kernels(bits, type);
  return fast != nullptr ? *fast : plain_normalize_kernels(bits, type);
}

} // namespace troupe
