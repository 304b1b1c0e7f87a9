#include "actors/loader/sampler.hpp"

#include "actors/support/rng.hpp"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <numeric>
#include <string>
#include <utility>

namespace troupe {

namespace {

constexpr std::uint64_t max_samples = 0xFFFF'FFFF;
constexpr std::uint32_t permutation_stream = sample_rng::first_reserved_stream;
constexpr std::uint32_t resampling_stream = sample_rng::first_reserved_stream + 4;

__extension__ using uint128 = unsigned __int128;

std::vector<std::uint32_t> identity(std::uint64_t num_samples) {
  std::vector<std::uint32_t> ids(num_samples);
  std::iota(ids.begin(), ids.end(), 0u);
  return ids;
}

void shuffle(std::vector<std::uint32_t>& ids, std::uint64_t seed, std::uint64_t epoch) {
  sample_rng rng(seed, epoch, 0, permutation_stream);
  for (std::uint64_t num_left = ids.size(); num_left > 1; --num_left)
    std::swap(ids[num_left - 1], ids[rng.below(num_left)]);
}

// The weights as whole numbers, in proportion, as fine as 63 bits allow for their sum. Scaled by a power of 2, so equal
// weights stay equal; none becomes 0. From here on all is exact, on every machine and whatever the compiler fuses.
std::vector<std::uint64_t> whole_weights(std::span<const float> weights) {
  const int bits_of_largest = 63 - static_cast<int>(std::bit_width(weights.size()));
  const int scale = bits_of_largest - 1 - std::ilogb(*std::max_element(weights.begin(), weights.end()));
  std::vector<std::uint64_t> out;
  out.reserve(weights.size());
  for (const float weight : weights)
    out.push_back(
      std::max<std::uint64_t>(1, static_cast<std::uint64_t>(std::llround(std::ldexp(double{weight}, scale)))));
  return out;
}

} // namespace

std::vector<std::uint32_t> permutation(std::uint64_t num_samples, std::uint64_t seed, std::uint64_t epoch) {
  assert(num_samples <= max_samples);
  auto ids = identity(num_samples);
  shuffle(ids, seed, epoch);
  return ids;
}

std::vector<std::uint32_t> weighted_order(std::uint64_t num_samples, std::span<const float> weights, std::uint64_t seed,
                                          std::uint64_t epoch) {
  assert(num_samples <= max_samples && weights.size() == num_samples);
  std::vector<std::uint32_t> ids;
  if (num_samples == 0)
    return ids;
  ids.reserve(num_samples);
  const auto whole = whole_weights(weights);
  const auto total = std::accumulate(whole.begin(), whole.end(), std::uint64_t{0});
  // The samples lie side by side, each as wide as its weight; draws fall at equal distances, total / num_samples, the
  // first at a place that is left to chance. In units of 1 / num_samples all of these are whole numbers.
  uint128 draw = sample_rng(seed, epoch, 0, resampling_stream).below(total);
  uint128 end = 0;
  for (std::uint32_t id = 0; id < num_samples; ++id) {
    end += uint128{whole[id]} * num_samples;
    for (; draw < end; draw += total)
      ids.push_back(id);
  }
  shuffle(ids, seed, epoch);
  return ids;
}

expected<epoch_plan> epoch_plan::make(std::uint64_t num_samples, std::uint32_t batch_size, bool drop_last, bool shuffle,
                                      std::uint64_t seed) {
  if (num_samples == 0 || num_samples > max_samples)
    return failure{ec::bad_config, "sampler: the data set has " + std::to_string(num_samples) + " samples, expected 1.."
                                     + std::to_string(max_samples)};
  if (batch_size == 0)
    return failure{ec::bad_config, "sampler: batch_size is 0, expected at least 1"};
  epoch_plan plan;
  plan.num_samples_ = num_samples;
  plan.batch_size_ = batch_size;
  plan.shuffle_ = shuffle;
  plan.seed_ = seed;
  const auto num_full = num_samples / batch_size;
  const auto tail = num_samples % batch_size;
  const bool keeps_tail = tail > 0 && (!drop_last || num_full == 0);
  plan.num_batches_ = num_full + (keeps_tail ? 1 : 0);
  plan.evens_tail_ = keeps_tail && tail == 1 && num_full > 0 && batch_size > 2;
  return plan;
}

std::uint64_t epoch_plan::samples_per_epoch() const noexcept {
  return std::min(num_samples_, num_batches_ * batch_size_);
}

batch_range epoch_plan::range(std::uint64_t index) const noexcept {
  assert(index < num_batches_);
  auto first = index * batch_size_;
  auto end = std::min(first + batch_size_, num_samples_);
  if (evens_tail_ && index + 2 == num_batches_)
    --end;
  if (evens_tail_ && index + 1 == num_batches_)
    --first;
  return {first, static_cast<std::uint32_t>(end - first)};
}

std::vector<std::uint32_t> epoch_plan::order(std::uint64_t epoch, std::span<const float> weights) const {
  if (!shuffle_)
    return identity(num_samples_);
  return weights.empty() ? permutation(num_samples_, seed_, epoch)
                         : weighted_order(num_samples_, weights, seed_, epoch);
}

batch_ref epoch_plan::batch(std::uint64_t epoch, std::uint64_t index) const noexcept {
  const bool last = index + 1 == num_batches_;
  const auto first = index * batch_size_;
  const auto size = static_cast<std::uint32_t>(std::min<std::uint64_t>(batch_size_, num_samples_ - first));
  const std::uint32_t lead = last && index > 0 && size < batch_size_ && batch_size_ > 2 ? 1 : 0;
  return {.id = epoch * num_batches_ + index,
          .epoch = epoch,
          .index = index,
          .num_samples = lead + size,
          .last_in_epoch = last,
          .lead = lead,
          .first_position = first - lead,
          .epoch_samples = samples_per_epoch(),
          .next = last ? data_position{epoch + 1, 0} : data_position{epoch, index + 1}};
}

expected<data_position> epoch_plan::normalised(data_position place) const {
  if (place.batch > num_batches_)
    return failure{ec::mismatch, "sampler: position is batch " + std::to_string(place.batch) + " of epoch "
                                   + std::to_string(place.epoch) + ", expected at most " + std::to_string(num_batches_)
                                   + " batches per epoch"};
  return place.batch == num_batches_ ? data_position{place.epoch + 1, 0} : place;
}

} // namespace troupe
