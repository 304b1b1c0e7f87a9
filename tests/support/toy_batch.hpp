/// Made-up batches for tests: pixels and labels that are functions of a seed.
#pragma once

#include "actors/support/network/batch_view.hpp"
#include "actors/support/network/network_config.hpp"
#include "actors/support/rng.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// `num_samples` images in channels_last order, with pixels in [-1, 1). The same seed gives the same samples, and
/// sample `i` does not depend on how many there are.
class toy_batch {
public:
  toy_batch(const model_io& io, std::int64_t num_samples, std::uint64_t seed) : num_samples_(num_samples) {
    for (std::int64_t i = 0; i < num_samples; ++i) {
      sample_rng rng(seed, 0, static_cast<std::uint64_t>(i), 0);
      for (std::int64_t j = 0; j < io.channels * io.height * io.width; ++j)
        pixels.push_back(static_cast<float>(rng.uniform(-1, 1)));
      labels.push_back(static_cast<std::int64_t>(rng.below(static_cast<std::uint64_t>(io.num_classes))));
    }
  }

  [[nodiscard]] batch_view view() { return {pixels.data(), labels.data(), num_samples_, true}; }

  /// Samples [first, first + count).
  [[nodiscard]] batch_view part(std::int64_t first, std::int64_t count) {
    const auto sample_size = static_cast<std::int64_t>(pixels.size()) / num_samples_;
    batch_view out{pixels.data() + first * sample_size, labels.data() + first, count, true};
    out.tail = count < num_samples_;
    return out;
  }

  std::vector<float> pixels;
  std::vector<std::int64_t> labels;

private:
  std::int64_t num_samples_;
};

} // namespace troupe
