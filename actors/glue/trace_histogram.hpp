/// Times in logarithmic buckets: quantiles within 12.5 % from a few hundred numbers, however many times were counted.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>

namespace troupe {

/// Buckets of a time histogram: four per octave, below 4 ns one per nanosecond, as in HdrHistogram (Tene, 2012).
inline constexpr std::size_t num_time_buckets = 168;

/// The bucket of a time in nanoseconds. Times above 2.4 hours fall into the last one.
[[nodiscard]] constexpr std::size_t time_bucket(std::uint64_t ns) noexcept {
  if (ns < 4)
    return static_cast<std::size_t>(ns);
  const auto exponent = static_cast<std::size_t>(std::bit_width(ns)) - 1;
  const auto quarter = static_cast<std::size_t>(ns >> (exponent - 2)) & 3;
  return std::min((exponent - 1) * 4 + quarter, num_time_buckets - 1);
}

/// The least time of a bucket, ns.
[[nodiscard]] constexpr std::uint64_t time_bucket_floor(std::size_t bucket) noexcept {
  if (bucket < 4)
    return bucket;
  return (4 + bucket % 4) << (bucket / 4 - 1);
}

/// A histogram of times with its exact sum and maximum.
struct time_histogram {
  std::uint64_t sum_ns = 0;
  std::uint64_t max_ns = 0;
  std::array<std::uint64_t, num_time_buckets> buckets{};

  [[nodiscard]] std::uint64_t count() const noexcept {
    std::uint64_t total = 0;
    for (auto each : buckets)
      total += each;
    return total;
  }

  void add(std::uint64_t ns) noexcept {
    sum_ns += ns;
    max_ns = std::max(max_ns, ns);
    ++buckets[time_bucket(ns)];
  }

  void merge(const time_histogram& other) noexcept {
    sum_ns += other.sum_ns;
    max_ns = std::max(max_ns, other.max_ns);
    for (std::size_t i = 0; i < buckets.size(); ++i)
      buckets[i] += other.buckets[i];
  }

  /// The time, in ns, that a share `q` (0..1) of all times does not exceed: the middle of its bucket, at most the
  /// maximum (nearest rank). 0 if nothing was counted.
  [[nodiscard]] std::uint64_t quantile(double q) const noexcept {
    const auto total = count();
    if (total == 0)
      return 0;
    const auto rank = std::max(static_cast<std::uint64_t>(std::ceil(q * static_cast<double>(total))), std::uint64_t{1});
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i + 1 < buckets.size(); ++i) {
      seen += buckets[i];
      if (seen >= rank)
        return std::min((time_bucket_floor(i) + time_bucket_floor(i + 1) - 1) / 2, max_ns);
    }
    return max_ns;
  }
};

} // namespace troupe
