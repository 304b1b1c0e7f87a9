/// An immutable copy of the model at one step, shared by saver, validator and whoever else wants to look.
#pragma once

#include "messages/batch_ref.hpp"
#include "messages/host_tensor.hpp"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Names one snapshot for ever: no two of a run share a version, not even across resumes.
struct snapshot_tag {
  std::string run;           ///< Run name.
  std::uint64_t epoch = 0;   ///< Epochs completed (1 after the first epoch).
  std::uint64_t step = 0;    ///< Optimizer steps done.
  std::uint64_t version = 0; ///< Ascending from 1.
  friend bool operator==(const snapshot_tag&, const snapshot_tag&) = default;
};

/// Parameters and buffers after step `tag.step`; for a checkpoint also all that training needs to go on.
/// Every tensor is of the same step. Immutable once shared; readable from any thread.
struct snapshot {
  snapshot_tag tag;
  std::vector<named_tensor> weights; ///< Parameters and buffers, state-dict names, in registration order.

  bool has_training_state = false;
  std::vector<named_tensor> optimizer_state;              ///< "<slot>.<parameter>", e.g. "momentum_buffer.fc1.weight".
  std::map<std::string, std::int64_t> optimizer_counters; ///< "<slot>.<parameter>", e.g. Adam's step counts.
  data_position next;                                     ///< First batch that is not trained yet.
  std::uint64_t batches_trained = 0;
  std::uint64_t samples_trained = 0;
  std::uint64_t samples_skipped = 0;
  std::vector<bad_sample> bad_samples; ///< Each once, in the order in which they were met; without names.
  /// The trainer's running sums: "window_loss_sum", "window_correct", "window_samples" of the metrics window that is
  /// open after `tag.step`, as in `step_completed`; all 0 where the step closed it. Counts are exact up to 2^53.
  std::map<std::string, double> sums;
  /// What else training has to remember: "sampling.<version>.<from_epoch>" (f32, a weight per sample) of those weights that
  /// are or will be in force, and "listener.<name>" (u8) of what each listener keeps.
  std::vector<named_tensor> attachments;
};

using snapshot_ptr = std::shared_ptr<const snapshot>;

} // namespace troupe
