/// The rows of metrics.csv: one per `every_steps` optimizer steps and one at the end of every epoch.
#pragma once

#include "actors/logger/csv_text.hpp"
#include "messages/metric.hpp"

#include <cstdint>
#include <optional>

namespace troupe {

/// One row. Loss and accuracy are means over the samples since the row before, learning rate and gradient norm are
/// those of the row's own step. The last three depend on the clock: comparisons of runs leave them out.
struct metrics_row {
  std::uint64_t step = 0;
  std::uint64_t epoch = 0; ///< 1-based.
  double loss = 0;         ///< NaN for a window without samples, as is `accuracy`.
  double accuracy = 0;     ///< Top-1 on the training batches, 0..1.
  double learning_rate = 0;
  double grad_norm = 0;
  double samples_per_second = 0; ///< Since the row before, or since this process began to train.
  double data_wait_share = 0;    ///< Share of that time in which the trainer waited for data, 0..1.
  double seconds = 0;            ///< Since this process began to train.
};

/// Makes rows of steps. Owned by one thread. Keeps nothing but times between rows: sums come with each step, so the
/// rows of a resumed run equal those of an uninterrupted one but for the columns of time.
class metrics_table {
public:
  /// `every_steps` = 0: rows at the ends of epochs only.
  explicit metrics_table(std::uint64_t every_steps) : every_steps_(every_steps) {}

  /// The row that is due after this step, if any. To be called with every step, in order.
  [[nodiscard]] std::optional<metrics_row> add(const step_completed& step);

private:
  /// What has happened since the last row, in time.
  struct lapse {
    double began = 0; ///< In `step_completed::since_start_seconds`.
    double data_wait_seconds = 0;
    std::uint64_t num_samples = 0;
  };

  std::uint64_t every_steps_;
  std::optional<lapse> lapse_;
};

/// The header of metrics.csv.
[[nodiscard]] csv_fields metrics_columns();

/// The row as fields under `metrics_columns()`. Every number reads back exactly.
[[nodiscard]] csv_fields metrics_fields(const metrics_row& row);

} // namespace troupe
