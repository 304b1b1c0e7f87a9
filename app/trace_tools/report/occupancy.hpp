/// How many things went on at once, over time: in little memory, however many there were.
#pragma once

#include <cstddef>
#include <vector>

namespace troupe {

/// Adds up intervals on an axis that is cut into bins of equal length. An interval costs the same however long it is.
class occupancy {
public:
  /// @param seconds Length of the axis; 0: all bins stay empty.
  occupancy(double seconds, std::size_t num_bins);

  /// Adds what went on from one moment to another, seconds from the axis's start. What lies beside the axis is left out.
  void add(double from, double until);

  /// Mean number of intervals that went on during each bin: the busy share of an actor, or messages in a mailbox.
  [[nodiscard]] std::vector<double> per_bin() const;

private:
  double seconds_;
  std::vector<double> parts_; ///< What intervals cover of the bins that they begin and end in.
  std::vector<double> steps_; ///< Intervals that cover the bin whole: the difference to the bin before.
};

} // namespace troupe
