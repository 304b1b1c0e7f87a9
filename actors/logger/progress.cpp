#include "actors/logger/progress.hpp"

#include <algorithm>
#include <cmath>

namespace troupe {

void progress::sums::scale(double factor) {
  for (double* sum : {&loss, &correct, &samples, &wait, &seconds})
    *sum *= factor;
}

void progress::sums::add(const step_completed& step, double lapse) {
  loss += step.loss_sum;
  correct += step.num_correct;
  samples += step.num_samples;
  wait += step.data_wait_seconds;
  seconds += lapse;
}

void progress::add(const step_completed& step) {
  if (num_steps_ == 0)
    began_ = newest_ = std::max(0.0, step.since_start_seconds - step.data_wait_seconds - step.step_seconds);
  if (step.epoch != newest_epoch_)
    epoch_ = {};
  const double lapse = std::max(0.0, step.since_start_seconds - newest_);
  constexpr double half_life_seconds = 3;
  recent_.scale(std::exp2(-lapse / half_life_seconds));
  recent_.add(step, lapse);
  epoch_.add(step, lapse);
  ++num_steps_;
  newest_step_ = step.step;
  newest_epoch_ = step.epoch;
  newest_ = step.since_start_seconds;
}

double progress::seconds_left(std::uint64_t total_steps) const {
  if (num_steps_ == 0 || total_steps == 0)
    return -1;
  const auto left = total_steps > newest_step_ ? total_steps - newest_step_ : 0;
  return (newest_ - began_) / static_cast<double>(num_steps_) * static_cast<double>(left);
}

progress_figures progress::figures_of(const sums& x) {
  progress_figures result;
  if (x.samples > 0) {
    result.loss = x.loss / x.samples;
    result.accuracy = x.correct / x.samples;
  }
  if (x.seconds > 0) {
    result.samples_per_second = x.samples / x.seconds;
    result.data_wait_share = std::min(1.0, x.wait / x.seconds);
  }
  result.seconds = x.seconds;
  return result;
}

} // namespace troupe
