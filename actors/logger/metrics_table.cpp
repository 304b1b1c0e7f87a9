#include "actors/logger/metrics_table.hpp"

#include <algorithm>
#include <limits>
#include <string>

namespace troupe {

namespace {

double mean(double sum, std::uint64_t count) {
  return count == 0 ? std::numeric_limits<double>::quiet_NaN() : sum / static_cast<double>(count);
}

} // namespace

std::optional<metrics_row> metrics_table::add(const step_completed& step) {
  // Also right for a logger that was restarted in the middle of a run: its first window begins with its first step.
  if (!lapse_)
    lapse_ = lapse{std::max(0.0, step.since_start_seconds - step.data_wait_seconds - step.step_seconds), 0, 0};
  lapse_->data_wait_seconds += step.data_wait_seconds;
  lapse_->num_samples += step.num_samples;
  if (!metrics_row_due(step.step, step.last_in_epoch, every_steps_))
    return std::nullopt;
  metrics_row row;
  row.step = step.step;
  row.epoch = step.epoch;
  row.loss = mean(step.window_loss_sum, step.window_samples);
  row.accuracy = mean(static_cast<double>(step.window_correct), step.window_samples);
  row.learning_rate = step.learning_rate;
  row.grad_norm = step.grad_norm;
  const double elapsed = step.since_start_seconds - lapse_->began;
  if (elapsed > 0) {
    row.samples_per_second = static_cast<double>(lapse_->num_samples) / elapsed;
    row.data_wait_share = std::min(1.0, lapse_->data_wait_seconds / elapsed);
  }
  row.seconds = step.since_start_seconds;
  lapse_ = lapse{step.since_start_seconds, 0, 0};
  return row;
}

csv_fields metrics_columns() {
  return {"step",   "epoch", "loss", "accuracy", "learning_rate", "grad_norm", "samples_per_second", "data_wait_share",
          "seconds"};
}

csv_fields metrics_fields(const metrics_row& row) {
  return {std::to_string(row.step),           std::to_string(row.epoch),       csv_number(row.loss),
          csv_number(row.accuracy),           csv_number(row.learning_rate),   csv_number(row.grad_norm),
          csv_number(row.samples_per_second), csv_number(row.data_wait_share), csv_number(row.seconds)};
}

} // namespace troupe
