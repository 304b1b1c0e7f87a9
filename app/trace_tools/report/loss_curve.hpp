/// The losses of any number of steps as a curve of a few hundred points, and the steps that stand out of it.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

namespace troupe {

/// Neighbouring steps of the curve.
struct curve_point {
  std::uint64_t first_step = 0;
  std::uint64_t last_step = 0;
  double least = 0;
  double most = 0;
  double mean = 0;
};

/// A step whose loss is far above those before it, or is no number.
struct loss_spike {
  std::uint64_t step = 0;
  std::uint64_t batch = 0; ///< Its first micro-batch.
  double value = 0;
  double usual = 0; ///< What the steps before it led to expect.

  [[nodiscard]] double excess() const noexcept;
};

/// Takes losses in the order of the steps.
class loss_curve {
public:
  explicit loss_curve(std::size_t max_points = 512) : max_points_(max_points) {}

  void add(std::uint64_t step, std::uint64_t batch, double loss);

  /// The run goes on from a checkpoint: what was done from `step` on is done again, and counts no more.
  void go_back_to(std::uint64_t step);

  /// At most `max_points`, by step. Losses that are no numbers are in none.
  [[nodiscard]] std::vector<curve_point> points() const;

  /// The largest ones first, none in the neighbourhood of another.
  [[nodiscard]] std::vector<loss_spike> spikes(std::size_t most) const;

  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }

private:
  struct bucket {
    curve_point sums; ///< `mean` is the sum.
    std::uint64_t count = 0;
  };

  void add_to_buckets(std::uint64_t step, double loss);
  void widen_buckets();
  void watch(const loss_spike& step);

  std::size_t max_points_;
  std::uint64_t width_ = 1; ///< Steps per bucket.
  std::map<std::uint64_t, bucket> buckets_;
  std::vector<loss_spike> spikes_;
  std::uint64_t count_ = 0;
  std::uint64_t watched_ = 0; ///< Numbers that `usual_` and `spread_` are made of.
  double usual_ = 0;
  double spread_ = 0; ///< Usual distance from `usual_`.
};

} // namespace troupe
