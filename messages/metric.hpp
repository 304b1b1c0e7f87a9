/// Facts about training and validation: what the logger writes and the saver decides by.
#pragma once

#include "messages/snapshot.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Whether a metrics row is due after step `step`: at every `every_steps`-th step (0: at none) and at the epoch's end.
/// The trainer closes its window of sums by it and the logger writes its rows by it, so that they cannot disagree.
[[nodiscard]] constexpr bool metrics_row_due(std::uint64_t step, bool last_in_epoch,
                                             std::uint64_t every_steps) noexcept {
  return last_in_epoch || (every_steps != 0 && step % every_steps == 0);
}

/// Sent by the trainer after every optimizer step. Sums are over the samples of the step, those of the window over the
/// steps since the last metrics row, this step included. The trainer keeps the window and stores it in `snapshot::sums`,
/// so a run resumed in the middle of a window writes the same rows as one that was never interrupted.
struct step_completed {
  std::uint64_t step = 0;        ///< Optimizer steps done, from 1.
  std::uint64_t epoch = 0;       ///< Epoch that the step belongs to, 1-based.
  std::uint64_t first_batch = 0; ///< `batch_ref::id` of its first micro-batch.
  std::uint32_t num_batches = 1; ///< Micro-batches in the step.
  std::uint32_t num_samples = 0;
  double loss_sum = 0;           ///< Sum over samples; the mean is loss_sum / num_samples.
  std::uint32_t num_correct = 0; ///< Top-1 on the training batch, in training mode.
  double learning_rate = 0;      ///< Used by this step.
  double grad_norm = 0;          ///< Global L2 norm before clipping; 0 where it is not computed.
  bool last_in_epoch = false;
  double data_wait_seconds = 0;     ///< Trainer's idle time for data before and within this step.
  double step_seconds = 0;          ///< Compute time of this step.
  double since_start_seconds = 0;   ///< Since this process began to train.
  double window_loss_sum = 0;       ///< Sum over the window's samples, added up in step order.
  std::uint64_t window_correct = 0; ///< `num_correct` over the window.
  std::uint64_t window_samples = 0; ///< `num_samples` over the window.
};

/// One sample as a training step saw it.
struct sample_score {
  std::uint64_t id = 0; ///< Index in the data set.
  std::int64_t label = 0;
  std::int64_t predicted = 0; ///< Class with the largest logit, in training mode.
  float loss = 0;             ///< Cross-entropy with its own label, without smoothing, mixing or weight.
};

/// A step with its samples, for listeners.
struct step_report {
  step_completed step;
  std::vector<sample_score> samples; ///< In batch and slot order.
};

/// Shared by all listeners; immutable.
using step_report_ptr = std::shared_ptr<const step_report>;

/// A figure of a validation that a plugin has added.
struct named_figure {
  std::string name;
  double value = 0; ///< NaN where it failed.
};

/// What a validation found out about one snapshot. Every figure is a sum over samples divided once.
struct validation_report {
  snapshot_ptr snapshot; ///< The judged weights, so that the best can still be saved.
  std::uint64_t num_samples = 0;
  double loss = 0;                      ///< Mean cross-entropy, without label smoothing.
  double top1 = 0;                      ///< Share of samples, 0..1.
  double topk = 0;                      ///< Share of samples whose label is among the k best.
  std::uint32_t k = 5;                  ///< min(5, number of classes).
  std::vector<std::uint64_t> confusion; ///< [classes x classes], row = label, column = prediction.
  std::vector<double> class_accuracy;   ///< Recall per class; NaN for a class without samples.
  double seconds = 0;
  std::vector<named_figure> figures = {}; ///< In the order of `validation.metrics`.
};

/// A validation in three numbers.
struct validation_score {
  double top1 = 0; ///< 0..1
  double loss = 0;
  std::uint64_t step = 0;
};

} // namespace troupe
