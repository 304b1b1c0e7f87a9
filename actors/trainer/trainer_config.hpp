/// The recipe: optimizer, learning-rate schedule, steps.
#pragma once

#include "actors/support/network/network_config.hpp"

#include <cstdint>
#include <string>

namespace troupe {

struct optimizer_config {
  std::string name = "sgd"; ///< sgd | adamw
  double lr = 0.05;         ///< Peak learning rate, > 0.
  double momentum = 0.9;    ///< sgd, 0..1.
  bool nesterov = true;     ///< sgd; needs momentum > 0.
  double weight_decay = 0;  ///< >= 0.
  double beta1 = 0.9;       ///< adamw
  double beta2 = 0.999;     ///< adamw
  double eps = 1e-8;        ///< adamw
};

struct lr_schedule_config {
  std::string name = "constant";  ///< constant | step | cosine
  std::uint64_t warmup_steps = 0; ///< Linear rise from 0 to the peak.
  double min_lr = 0;              ///< cosine: where it ends.
  double gamma = 0.1;             ///< step: factor at each drop.
  std::uint64_t step_epochs = 10; ///< step: epochs between drops.
};

/// Due every so many steps, or at the end of every so many epochs; 0: not.
struct cadence {
  std::uint64_t every_steps = 0;
  std::uint64_t every_epochs = 0;

  /// `epochs_done`: epochs completed by this step, if it is the last of one; else 0.
  [[nodiscard]] constexpr bool due(std::uint64_t step, std::uint64_t epochs_done) const noexcept {
    return (every_steps != 0 && step % every_steps == 0)
           || (every_epochs != 0 && epochs_done != 0 && epochs_done % every_epochs == 0);
  }
};

enum class on_nonfinite : std::uint8_t { stop, skip_step };

struct trainer_config {
  model_config model;
  compute_config compute;
  optimizer_config optimizer;
  lr_schedule_config lr_schedule;
  std::uint64_t seed = 1;
  std::uint64_t epochs = 10;
  std::uint32_t accumulate = 1; ///< Micro-batches per optimizer step.
  double clip_norm = 0;         ///< Bound on the global gradient norm; 0: off.
  double label_smoothing = 0;   ///< 0..1 (1 excluded).
  on_nonfinite nonfinite = on_nonfinite::stop;
  cadence checkpoint;               ///< Besides, every end of training is checkpointed.
  cadence validation;               ///< If ever due, the last step is judged too.
  bool scores_samples = false;      ///< Tell what each sample of a step came to, for listeners.
  std::uint64_t metrics_every = 50; ///< Steps of a metrics row: the window of the running sums.
};

} // namespace troupe
