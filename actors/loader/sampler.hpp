/// Which samples an epoch takes, in which order, cut into which batches: pure functions, so nothing needs to be stored.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/batch_ref.hpp"

#include <cstdint>
#include <span>
#include <vector>

namespace troupe {

/// Returns the order of epoch `epoch`: every id below `num_samples` once (Fisher-Yates over a Philox stream).
/// A pure function of its arguments; the same on every machine. @pre num_samples < 2^32
[[nodiscard]] std::vector<std::uint32_t> permutation(std::uint64_t num_samples, std::uint64_t seed,
                                                     std::uint64_t epoch);

/// Returns an epoch of `num_samples` draws in which some samples come more often than others: with w a sample's share of
/// all weights, num_samples * w times on average over the epochs, and in each of them that number rounded down or up
/// (systematic resampling), in an order as that of `permutation`. Equal weights, whatever they are, give `permutation`
/// itself. A pure function of its arguments; the same on every machine. Weights count to within 2^-31 of the largest, or
/// finer, and none counts as 0. @pre num_samples < 2^32; a weight per sample, each finite and above 0
[[nodiscard]] std::vector<std::uint32_t> weighted_order(std::uint64_t num_samples, std::span<const float> weights,
                                                        std::uint64_t seed, std::uint64_t epoch);

/// A batch's place in the epoch's order: positions [first, first + size).
struct batch_range {
  std::uint64_t first = 0;
  std::uint32_t size = 0;
  friend bool operator==(const batch_range&, const batch_range&) = default;
};

/// How epochs are cut into batches. All batches have `batch_size` samples, but for the tail of the epoch:
///  - `drop_last` leaves an incomplete last batch out, unless it is the only one;
///  - otherwise, a last batch of exactly one sample (batch norm cannot train on it) takes one more from the batch before
///    it, if that one has more than two: ..., B, B - 1, 2. So every sample is trained, and no batch exceeds B.
/// Immutable; readable from any thread.
class epoch_plan {
public:
  /// Returns the plan, or bad_config unless num_samples is in 1..2^32-1 and batch_size at least 1.
  static expected<epoch_plan> make(std::uint64_t num_samples, std::uint32_t batch_size, bool drop_last, bool shuffle,
                                   std::uint64_t seed);

  /// At least 1.
  [[nodiscard]] std::uint64_t batches_per_epoch() const noexcept { return num_batches_; }

  /// Samples that an epoch trains: all of them, unless `drop_last` left some out.
  [[nodiscard]] std::uint64_t samples_per_epoch() const noexcept;

  /// Returns what the batch holds when no sample is bad. @pre index < batches_per_epoch()
  [[nodiscard]] batch_range range(std::uint64_t index) const noexcept;

  /// Returns the order of the epoch: `permutation` with this plan's seed, with weights `weighted_order`; without shuffle,
  /// 0, 1, 2, ... @pre `weights` are none or one per sample, as `weighted_order` wants them
  [[nodiscard]] std::vector<std::uint32_t> order(std::uint64_t epoch, std::span<const float> weights = {}) const;

  /// Returns the reference of the batch as it is filled: with B samples, but for the last one of the epoch, which has
  /// one more at its front (`batch_ref::lead`) if there is room. Who puts it together decides which of the last two
  /// batches that sample belongs to, since bad samples can change what is left. @pre index < batches_per_epoch()
  [[nodiscard]] batch_ref batch(std::uint64_t epoch, std::uint64_t index) const noexcept;

  /// Returns `place` in the form in use, (e, end) as (e + 1, 0); mismatch if its batch lies past the end of an epoch,
  /// that is if it stems from another data set or batch size.
  [[nodiscard]] expected<data_position> normalised(data_position place) const;

private:
  epoch_plan() = default;

  std::uint64_t num_samples_ = 0;
  std::uint64_t num_batches_ = 0;
  std::uint64_t seed_ = 0;
  std::uint32_t batch_size_ = 0;
  bool shuffle_ = false;
  bool evens_tail_ = false; ///< The last two batches have B - 1 and 2 samples.
};

} // namespace troupe
