/// The learning rate as a pure function of the step, so that it needs no state and survives every resume.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/trainer/trainer_config.hpp"

#include <cstdint>

namespace troupe {

/// bad_config: an unknown schedule, or a value that is out of its range.
expected<void> check_lr_schedule(const lr_schedule_config& config, double peak_lr);

/// Returns the learning rate of optimizer step `step` (0-based). The first `warmup_steps` steps rise linearly and the
/// last of them has the full rate; meanwhile the schedule below runs on, except for cosine, which begins after them.
/// constant: `peak_lr`. step: times `gamma` after every `step_epochs` epochs. cosine: half a period from `peak_lr` to
/// `min_lr` at `total_steps` (Loshchilov and Hutter, 2017, without restarts); later steps keep `min_lr`.
/// Pure; safe from any thread. @pre `check_lr_schedule` found nothing wrong; `steps_per_epoch` > 0.
[[nodiscard]] double learning_rate_at(const lr_schedule_config& config, double peak_lr, std::uint64_t step,
                                      std::uint64_t steps_per_epoch, std::uint64_t total_steps) noexcept;

} // namespace troupe
