#include "actors/collator/batch_mix.hpp"

#include "actors/support/bfloat16.hpp"
#include "actors/support/rng.hpp"

#include <boost/math/distributions/beta.hpp>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <vector>

namespace troupe {

namespace {

/// Below the framework's own streams of samples; ids of batches are ids of samples elsewhere.
constexpr std::uint32_t mix_stream = sample_rng::first_reserved_stream + 0x10;

float to_float(float x) noexcept {
  return x;
}

float to_float(std::uint16_t bf16) noexcept {
  return from_bfloat16(bf16);
}

void assign(float& to, float x) noexcept {
  to = x;
}

void assign(std::uint16_t& to, float x) noexcept {
  to = to_bfloat16(x);
}

/// Calls `mix_pair(slot, other)` for each slot and the one before it, as it was before it was mixed itself.
template <class T, class MixPair>
void roll(T* pixels, std::size_t num_values, std::uint32_t num_samples, MixPair mix_pair) {
  auto* last = pixels + (num_samples - 1) * num_values;
  const std::vector<T> first_other(last, last + num_values);
  for (std::uint32_t i = num_samples - 1; i > 0; --i)
    mix_pair(pixels + i * num_values, pixels + (i - 1) * num_values);
  mix_pair(pixels, first_other.data());
}

template <class T>
void mix_up(T* pixels, std::size_t num_values, std::uint32_t num_samples, float own) {
  const float other_share = 1 - own;
  roll(pixels, num_values, num_samples, [=](T* slot, const T* other) {
    for (std::size_t k = 0; k < num_values; ++k)
      assign(slot[k], own * to_float(slot[k]) + other_share * to_float(other[k]));
  });
}

struct box {
  std::uint32_t left, top, right, bottom;
  [[nodiscard]] double area() const noexcept { return double(right - left) * double(bottom - top); }
};

box draw_box(const batch_layout& layout, double own, sample_rng& rng) {
  const auto half = 0.5 * std::sqrt(1 - own);
  const auto cut = [&](std::uint32_t extent) {
    const auto centre = static_cast<std::int64_t>(rng.below(extent));
    const auto reach = static_cast<std::int64_t>(half * extent);
    return std::pair(static_cast<std::uint32_t>(std::max<std::int64_t>(centre - reach, 0)),
                     static_cast<std::uint32_t>(std::min<std::int64_t>(centre + reach, extent)));
  };
  const auto [left, right] = cut(layout.width);
  const auto [top, bottom] = cut(layout.height);
  return {left, top, right, bottom};
}

template <class T>
void cut_mix(T* pixels, const batch_layout& layout, std::uint32_t num_samples, const box& where) {
  // Planes of one channel, or one plane of pixels with all channels.
  const std::size_t num_planes = layout.channels_last ? 1 : layout.channels;
  const std::size_t pixel = layout.channels_last ? layout.channels : 1;
  const auto plane = std::size_t{layout.height} * layout.width * pixel;
  const auto num_bytes = (where.right - where.left) * pixel * sizeof(T);
  roll(pixels, layout.values_per_sample(), num_samples, [&](T* slot, const T* other) {
    for (std::size_t p = 0; p < num_planes; ++p)
      for (auto y = where.top; y < where.bottom; ++y) {
        const auto offset = p * plane + (std::size_t{y} * layout.width + where.left) * pixel;
        std::memcpy(slot + offset, other + offset, num_bytes);
      }
  });
}

template <class T>
float mix_pixels(const batch_mix_config& config, T* pixels, const batch_ref& batch, const batch_layout& layout,
                 sample_rng& rng) {
  const auto drawn = rng.uniform();
  if (drawn >= config.mixup_p + config.cutmix_p)
    return 1;
  const bool is_mixup = drawn < config.mixup_p;
  const auto alpha = is_mixup ? config.mixup_alpha : config.cutmix_alpha;
  const auto own = boost::math::quantile(boost::math::beta_distribution<>(alpha, alpha), rng.uniform());
  if (is_mixup) {
    mix_up(pixels, layout.values_per_sample(), batch.num_samples, static_cast<float>(own));
    return static_cast<float>(own);
  }
  const auto where = draw_box(layout, own, rng);
  cut_mix(pixels, layout, batch.num_samples, where);
  return static_cast<float>(1 - where.area() / (double(layout.width) * layout.height));
}

} // namespace

float mix_batch(const batch_mix_config& config, std::uint64_t seed, const batch_ref& batch,
                const batch_buffer& buffer) {
  if (batch.num_samples < 2)
    return 1;
  sample_rng rng(seed, batch.epoch, batch.index, mix_stream);
  const auto& layout = buffer.layout();
  return layout.type == pixel_type::float32
           ? mix_pixels(config, buffer.floats(), batch, layout, rng)
           : mix_pixels(config, reinterpret_cast<std::uint16_t*>(buffer.pixels()), batch, layout, rng);
}

} // namespace troupe
