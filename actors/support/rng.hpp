/// Randomness as a pure function of ids: whoever draws, in whatever order, gets the same numbers.
#pragma once

#include <array>
#include <cassert>
#include <cstddef>
#include <cstdint>
#include <initializer_list>

namespace troupe {

/// Returns one block of Philox4x32-10: 128 bits that look random in `counter` and `key` (Salmon et al., "Parallel Random
/// Numbers: As Easy as 1, 2, 3", SC'11). A bijection of the counter for every key.
[[nodiscard]] constexpr std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter,
                                                                std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t product0 = std::uint64_t{0xD2511F53} * counter[0];
    const std::uint64_t product1 = std::uint64_t{0xCD9E8D57} * counter[2];
    counter = {static_cast<std::uint32_t>(product1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(product1),
               static_cast<std::uint32_t>(product0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(product0)};
    key[0] += 0x9E3779B9;
    key[1] += 0xBB67AE85;
  }
  return counter;
}

/// Returns `x` with its bits well mixed: a bijection with mix_bits(0) = 0 (the finaliser of SplitMix64, Stafford's mix 13).
[[nodiscard]] constexpr std::uint64_t mix_bits(std::uint64_t x) noexcept {
  x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9;
  x = (x ^ (x >> 27)) * 0x94D049BB133111EB;
  return x ^ (x >> 31);
}

/// Returns 64 well-mixed bits of four ids, to seed other generators with. Order matters; for three ids held fixed it is
/// a bijection of the fourth.
[[nodiscard]] constexpr std::uint64_t hash_ids(std::uint64_t a, std::uint64_t b, std::uint64_t c,
                                               std::uint64_t d) noexcept {
  std::uint64_t hash = 0;
  for (auto id : {a, b, c, d})
    hash = mix_bits((hash ^ id) + 0x9E3779B97F4A7C15);
  return hash;
}

/// The random numbers that belong to one (seed, epoch, sample, stream); stream is the index of the transform that draws.
/// Distinct keys with epoch and sample below 2^32 give disjoint parts of Philox's sequence; larger ids are hashed in.
/// Not thread-safe; cheap to make, so everybody makes its own. Good for 2^34 draws of 32 bits.
class sample_rng {
public:
  /// Streams from here on are the framework's own (permutations, synthetic data); transforms stay below.
  static constexpr std::uint32_t first_reserved_stream = 0xFFFF'0000;

  constexpr sample_rng(std::uint64_t seed, std::uint64_t epoch, std::uint64_t sample, std::uint32_t stream) noexcept
    : counter_{0, stream, static_cast<std::uint32_t>(sample), static_cast<std::uint32_t>(epoch)} {
    const auto key = seed ^ mix_bits((epoch & 0xFFFF'FFFF'0000'0000) | (sample >> 32));
    key_ = {static_cast<std::uint32_t>(key), static_cast<std::uint32_t>(key >> 32)};
  }

  /// Returns 32 random bits.
  constexpr std::uint32_t bits() noexcept {
    if (next_ == block_.size()) {
      block_ = philox4x32(counter_, key_);
      ++counter_[0];
      next_ = 0;
    }
    return block_[next_++];
  }

  /// Returns a number from [0, 1), a multiple of 2^-53.
  constexpr double uniform() noexcept { return static_cast<double>(bits_64() >> 11) * 0x1p-53; }

  /// Returns a number from [a, b); rounding may give b itself.
  constexpr double uniform(double a, double b) noexcept { return a + (b - a) * uniform(); }

  /// Returns an unbiased integer from [0, n) (Lemire, "Fast Random Integer Generation in an Interval", 2019).
  /// @pre n > 0
  constexpr std::uint64_t below(std::uint64_t n) noexcept {
    assert(n > 0);
    return n <= 0x1'0000'0000 ? below_32(n) : below_64(n);
  }

private:
  __extension__ using uint128 = unsigned __int128;

  constexpr std::uint64_t bits_64() noexcept {
    const std::uint64_t low = bits();
    return low | std::uint64_t{bits()} << 32;
  }

  constexpr std::uint64_t below_32(std::uint64_t n) noexcept {
    auto product = bits() * n;
    if (static_cast<std::uint32_t>(product) < n) {
      const auto num_biased = (0x1'0000'0000 - n) % n;
      while (static_cast<std::uint32_t>(product) < num_biased)
        product = bits() * n;
    }
    return product >> 32;
  }

  constexpr std::uint64_t below_64(std::uint64_t n) noexcept {
    auto product = static_cast<uint128>(bits_64()) * n;
    const auto num_biased = (0 - n) % n;
    while (static_cast<std::uint64_t>(product) < num_biased)
      product = static_cast<uint128>(bits_64()) * n;
    return static_cast<std::uint64_t>(product >> 64);
  }

  std::array<std::uint32_t, 4> counter_;
  std::array<std::uint32_t, 2> key_{};
  std::array<std::uint32_t, 4> block_{};
  std::size_t next_ = 4;
};

} // namespace troupe
