#include "actors/collator/batch_mix.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <random>
#include <utility>
#include <vector>

#include "tests/support/doctest.hpp"

using namespace troupe;

namespace {

constexpr batch_mix_config only_mixup{.mixup_p = 1, .mixup_alpha = 0.4};
constexpr batch_mix_config only_cutmix{.cutmix_p = 1};

float value_of(std::uint16_t bf16) {
  return std::bit_cast<float>(std::uint32_t{bf16} << 16);
}

/// To the nearest bfloat16, ties to even.
std::uint16_t bf16_of(float x) {
  const auto below = static_cast<std::uint16_t>(std::bit_cast<std::uint32_t>(x) >> 16);
  const auto above = static_cast<std::uint16_t>(below + 1);
  const double to_below = std::abs(double{x} - value_of(below)), to_above = std::abs(double{value_of(above)} - x);
  if (to_below == to_above)
    return below % 2 == 0 ? below : above;
  return to_below < to_above ? below : above;
}

/// A buffer of random pixels, and what they are as plain numbers.
struct pixels_of {
  explicit pixels_of(const batch_layout& wanted) : layout(wanted) {
    std::mt19937 engine(3);
    std::normal_distribution<float> normal;
    for (std::size_t i = 0; i < num_values(); ++i)
      put(i, normal(engine));
  }
  ~pixels_of() { home->close(); }
  pixels_of(const pixels_of&) = delete;
  pixels_of& operator=(const pixels_of&) = delete;

  [[nodiscard]] std::size_t num_values() const { return layout.capacity * layout.values_per_sample(); }

  void put(std::size_t i, float x) {
    if (layout.type == pixel_type::float32)
      buffer.floats()[i] = x;
    else
      reinterpret_cast<std::uint16_t*>(buffer.pixels())[i] = bf16_of(x);
  }

  /// Makes all values different, also as bfloat16.
  void make_distinct() {
    for (std::size_t i = 0; i < num_values(); ++i)
      put(i, value_of(static_cast<std::uint16_t>(0x3F80 + i)));
  }

  [[nodiscard]] std::vector<float> values() const {
    std::vector<float> out(num_values());
    for (std::size_t i = 0; i < out.size(); ++i)
      out[i] = layout.type == pixel_type::float32 ? buffer.floats()[i]
                                                  : value_of(reinterpret_cast<std::uint16_t*>(buffer.pixels())[i]);
    return out;
  }

  batch_layout layout;
  std::shared_ptr<buffer_home> home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  batch_buffer buffer{
    home, layout, {new std::byte[layout.capacity * layout.bytes_per_sample()](), std::default_delete<std::byte[]>()}};
};

batch_ref batch_at(std::uint64_t epoch, std::uint64_t index, std::uint32_t num_samples) {
  batch_ref ref;
  ref.epoch = epoch;
  ref.index = index;
  ref.num_samples = num_samples;
  return ref;
}

/// Each layout and type: five slots of 3 x 12 x 10.
std::vector<batch_layout> all_layouts() {
  std::vector<batch_layout> out;
  for (const bool channels_last : {false, true})
    for (const auto type : {pixel_type::float32, pixel_type::bfloat16})
      out.push_back({5, 3, 12, 10, channels_last, type});
  return out;
}

std::size_t index_of(const batch_layout& x, std::size_t slot, std::size_t c, std::size_t row, std::size_t column) {
  if (x.channels_last)
    return ((slot * x.height + row) * x.width + column) * x.channels + c;
  return ((slot * x.channels + c) * x.height + row) * x.width + column;
}

/// Which pixels of a slot are those of the slot before it; checks that it is the same set in every channel and slot.
std::vector<bool> pasted(const batch_layout& layout, std::uint32_t num_samples, const std::vector<float>& before,
                         const std::vector<float>& after) {
  std::vector<bool> out(std::size_t{layout.height} * layout.width);
  std::size_t num_wrong = 0;
  for (std::size_t slot = 0; slot < num_samples; ++slot)
    for (std::size_t c = 0; c < layout.channels; ++c)
      for (std::size_t row = 0; row < layout.height; ++row)
        for (std::size_t column = 0; column < layout.width; ++column) {
          const auto other = (slot + num_samples - 1) % num_samples;
          const auto now = after[index_of(layout, slot, c, row, column)];
          const auto is_other = now == before[index_of(layout, other, c, row, column)];
          const auto is_own = now == before[index_of(layout, slot, c, row, column)];
          const auto at = row * layout.width + column;
          if (slot == 0 && c == 0)
            out[at] = is_other;
          num_wrong += is_other == is_own || out[at] != is_other;
        }
  CHECK(num_wrong == 0);
  return out;
}

/// Whether the marked pixels are all those of one rectangle.
bool is_rectangle(const std::vector<bool>& marked, std::size_t width) {
  std::size_t left = width, right = 0, top = marked.size(), bottom = 0;
  for (std::size_t i = 0; i < marked.size(); ++i)
    if (marked[i]) {
      left = std::min(left, i % width);
      right = std::max(right, i % width + 1);
      top = std::min(top, i / width);
      bottom = std::max(bottom, i / width + 1);
    }
  const auto count = static_cast<std::size_t>(std::count(marked.begin(), marked.end(), true));
  return count == 0 || count == (right - left) * (bottom - top);
}

/// Own shares of many batches of two one-pixel samples.
std::vector<double> shares(const batch_mix_config& config, std::uint64_t num_batches) {
  pixels_of pixels({2, 1, 1, 1});
  std::vector<double> out;
  for (std::uint64_t i = 0; i < num_batches; ++i)
    out.push_back(mix_batch(config, 11, batch_at(i / 100, i % 100, 2), pixels.buffer));
  return out;
}

void check_moments_of_beta(double alpha) {
  CAPTURE(alpha);
  const auto drawn = shares({.mixup_p = 1, .mixup_alpha = alpha}, 20000);
  double sum = 0, squares = 0;
  for (const auto x : drawn) {
    CHECK_MESSAGE((x >= 0 && x <= 1), x);
    sum += x;
    squares += (x - 0.5) * (x - 0.5);
  }
  const double num = static_cast<double>(drawn.size());
  CHECK(sum / num == doctest::Approx(0.5).epsilon(0.02));
  CHECK(squares / num == doctest::Approx(0.25 / (2 * alpha + 1)).epsilon(0.04));
}

} // namespace

TEST_SUITE_BEGIN("actors/collator");

TEST_CASE("mixup adds to each sample's share that of the sample before it, whose turn comes before its own") {
  for (const auto& layout : all_layouts())
    for (std::uint64_t index = 0; index < 10; ++index) {
      CAPTURE(layout.channels_last);
      pixels_of pixels(layout);
      const auto before = pixels.values();
      const auto own = mix_batch(only_mixup, 1, batch_at(0, index, 4), pixels.buffer);
      const auto after = pixels.values();
      const auto size = layout.values_per_sample();
      std::size_t num_wrong = 0;
      for (std::size_t i = 0; i < after.size(); ++i) {
        const auto other = (i / size + 3) % 4 * size + i % size;
        const auto mixed = own * before[i] + (1 - own) * before[other];
        const auto wanted = i >= 4 * size ? before[i] : mixed; // The fifth slot is not in use.
        num_wrong += layout.type == pixel_type::float32 ? std::abs(after[i] - wanted) > 1e-6f
                                                        : after[i] != value_of(bf16_of(wanted));
      }
      CHECK(num_wrong == 0);
      CHECK(own < 1);
    }
}

TEST_CASE("cutmix pastes one rectangle of the sample before, and the own share is the area that is left") {
  for (const auto& layout : all_layouts()) {
    std::size_t num_pasted = 0;
    for (std::uint64_t index = 0; index < 30; ++index) {
      CAPTURE(index);
      pixels_of pixels(layout);
      pixels.make_distinct();
      const auto before = pixels.values();
      const auto own = mix_batch(only_cutmix, 1, batch_at(0, index, 4), pixels.buffer);
      const auto after = pixels.values();
      const auto marked = pasted(layout, 4, before, after);
      CHECK(is_rectangle(marked, layout.width));
      const auto area = static_cast<double>(std::count(marked.begin(), marked.end(), true));
      CHECK(own == doctest::Approx(1 - area / static_cast<double>(marked.size())));
      const auto used = static_cast<std::ptrdiff_t>(4 * layout.values_per_sample());
      CHECK(std::equal(before.begin() + used, before.end(), after.begin() + used));
      num_pasted += area > 0;
    }
    CHECK(num_pasted > 15);
  }
}

TEST_CASE("what happens to a batch is a function of seed, epoch and index") {
  const batch_layout layout{4, 1, 8, 8};
  for (const auto& config : {only_mixup, only_cutmix}) {
    const auto mixed = [&](std::uint64_t seed, std::uint64_t epoch, std::uint64_t index) {
      pixels_of pixels(layout);
      const auto own = mix_batch(config, seed, batch_at(epoch, index, 4), pixels.buffer);
      return std::pair(own, pixels.values());
    };
    CHECK(mixed(1, 2, 3) == mixed(1, 2, 3));
    CHECK(mixed(1, 2, 3) != mixed(2, 2, 3));
    CHECK(mixed(1, 2, 3) != mixed(1, 3, 3));
    CHECK(mixed(1, 2, 3) != mixed(1, 2, 4));
  }
}

TEST_CASE("a batch that is not drawn, or has no two samples, stays as it is") {
  const batch_layout layout{4, 1, 4, 4};
  pixels_of pixels(layout);
  const auto before = pixels.values();
  for (std::uint64_t index = 0; index < 20; ++index) {
    CHECK(mix_batch({}, 1, batch_at(0, index, 4), pixels.buffer) == 1);
    CHECK(mix_batch(only_mixup, 1, batch_at(0, index, 1), pixels.buffer) == 1);
    CHECK(mix_batch(only_cutmix, 1, batch_at(0, index, 0), pixels.buffer) == 1);
  }
  CHECK(pixels.values() == before);
  CHECK_FALSE(mixes({}));
  CHECK(mixes(only_mixup));
  CHECK(mixes(only_cutmix));
}

TEST_CASE("as many batches are mixed as the probabilities say") {
  // A share drawn from Beta(1, 1) is never exactly 1; one pixel is never cut: a reach of half a pixel is none.
  const auto drawn = shares({.mixup_p = 0.3, .mixup_alpha = 1, .cutmix_p = 0.5}, 10000);
  const auto num_mixed = std::count_if(drawn.begin(), drawn.end(), [](double x) { return x < 1; });
  CHECK(num_mixed == doctest::Approx(3000).epsilon(0.05));
}

TEST_CASE("mixup's shares are drawn from Beta(alpha, alpha)") {
  for (const double alpha : {0.2, 1.0, 8.0})
    check_moments_of_beta(alpha);
}

TEST_CASE("the widest and the narrowest Beta give shares between 0 and 1") {
  for (const double alpha : {0.01, 100.0})
    for (const auto own : shares({.mixup_p = 1, .mixup_alpha = alpha}, 2000))
      CHECK((own >= 0 && own <= 1));
}

TEST_CASE("a cut's rectangle has, where it is not at an edge, the area that Beta(alpha, alpha) gives") {
  // With alpha = 100 the share is near a half: a reach of sqrt(1/2) of the side, cut off where it sticks out.
  const batch_layout layout{2, 1, 100, 100};
  double largest = 0;
  for (std::uint64_t index = 0; index < 300; ++index) {
    pixels_of pixels(layout);
    const auto own = mix_batch({.cutmix_p = 1, .cutmix_alpha = 100}, 1, batch_at(0, index, 2), pixels.buffer);
    largest = std::max(largest, 1.0 - own);
    CHECK(own > 0.35f);
  }
  CHECK(largest == doctest::Approx(0.5).epsilon(0.2));
}

TEST_SUITE_END();
