/// How the samples of each epoch are drawn, as far as that is known. Logic only.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/flow.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <vector>

namespace troupe {

/// The weights of all epochs that can still be served, and which of these are settled. Owned by one thread.
class sampling_history {
public:
  /// No weights, and none to come: every epoch is settled.
  sampling_history() = default;

  /// `known`: what earlier processes of the run have settled. `changes`: more is to come, so no epoch is settled before
  /// somebody says so. bad_data for weights that `num_samples` samples cannot be drawn by.
  static expected<sampling_history> make(std::uint64_t num_samples, bool changes,
                                         const std::vector<sample_weights>& known);

  /// Takes the change, and with it the epochs up to `what.epoch` + 2 as settled. News that is known already changes
  /// nothing. bad_data for weights that cannot be drawn by, or that come too late for the epoch that they are for.
  [[nodiscard]] expected<void> settle(const sampling_settled& what);

  /// Takes this epoch, the first to be served, and the next as settled.
  void begin_at(std::uint64_t epoch) noexcept;

  [[nodiscard]] bool is_settled(std::uint64_t epoch) const noexcept { return !changes_ || epoch < settled_end_; }

  /// Returns a weight per sample, or nothing where all are drawn alike: of the newest weights that are in force in
  /// `epoch`. Valid until the next change. @pre is_settled(epoch)
  [[nodiscard]] std::span<const float> weights_in(std::uint64_t epoch) const noexcept;

  /// Forgets the weights that are in force in epochs before this one only, if more are to come.
  void forget_before(std::uint64_t epoch);

private:
  using versions = std::map<std::uint64_t, sample_weights>;

  [[nodiscard]] expected<void> check(const sample_weights& weights) const;
  [[nodiscard]] versions::const_iterator in_force(std::uint64_t epoch) const noexcept;

  std::uint64_t num_samples_ = 0;
  bool changes_ = false;
  std::uint64_t settled_end_ = 0;
  versions known_;
};

} // namespace troupe
