/// How fast a run goes, how well of late, and when it will be done: what the terminal shows between metrics rows.
#pragma once

#include "messages/metric.hpp"

#include <cstdint>

namespace troupe {

/// Means over some samples and the time they took.
struct progress_figures {
  double loss = 0;
  double accuracy = 0; ///< 0..1
  double samples_per_second = 0;
  double data_wait_share = 0; ///< 0..1
  double seconds = 0;
};

/// Adds up steps. Knows of this process's steps only. Owned by one thread.
class progress {
public:
  /// To be called with every step, in order.
  void add(const step_completed& step);

  /// Weighted means in which a step counts half as much for every three seconds that it is old.
  [[nodiscard]] progress_figures recent() const { return figures_of(recent_); }

  /// Means over the epoch of the newest step; over what this process saw of it, where it was resumed in its middle.
  [[nodiscard]] progress_figures epoch() const { return figures_of(epoch_); }

  /// Seconds that the steps from the newest to `total_steps` will take at the pace so far, validation and all; negative
  /// where nobody can know: no step yet, or no total.
  [[nodiscard]] double seconds_left(std::uint64_t total_steps) const;

private:
  struct sums {
    double loss = 0;
    double correct = 0;
    double samples = 0;
    double wait = 0;
    double seconds = 0;
    void scale(double factor);
    void add(const step_completed& step, double lapse);
  };
  [[nodiscard]] static progress_figures figures_of(const sums& x);

  sums recent_;
  sums epoch_;
  std::uint64_t num_steps_ = 0;
  std::uint64_t newest_step_ = 0;
  std::uint64_t newest_epoch_ = 0;
  double began_ = 0; ///< Both in `step_completed::since_start_seconds`.
  double newest_ = 0;
};

} // namespace troupe
