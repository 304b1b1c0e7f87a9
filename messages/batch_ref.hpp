/// Where a batch stands in the run: pure numbers that everybody can derive, so no position is ever guessed.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// A place between two batches: batch `batch` of epoch `epoch` comes next. Both count from 0.
/// (e, end) and (e + 1, 0) are the same place; the second form, with nothing taken or given, is the one in use.
struct data_position {
  std::uint64_t epoch = 0;
  std::uint64_t batch = 0;
  /// Samples of the epoch that have left its end to replace bad ones: so many fewer are still to come.
  std::uint64_t taken = 0;
  /// Samples of the batch before that this one begins with, so that it is not of one sample alone: 0 or 1.
  std::uint64_t given = 0;
  friend bool operator==(const data_position&, const data_position&) = default;
};

/// One micro-batch. `id` = epoch * batches_per_epoch + index: unique, ascending and the same after a resume.
struct batch_ref {
  std::uint64_t id = 0;
  std::uint64_t epoch = 0;       ///< 0-based.
  std::uint64_t index = 0;       ///< 0-based, within the epoch.
  std::uint32_t num_samples = 0; ///< Slots in use; the epoch's last batch may be shorter than the buffer.
  bool last_in_epoch = false;
  /// Slots at the front whose samples are those of the end of the batch before. They count here only if `given` there.
  std::uint32_t lead = 0;
  std::uint64_t first_position = 0; ///< Place of slot 0 in the epoch's order.
  std::uint64_t epoch_samples = 0;  ///< Samples in the epoch's order.
  /// Mixed samples (MixUp, CutMix): the share of a slot's own label; the rest is that of the slot before it, for slot 0
  /// that of the last one. 1: not mixed.
  float own_share = 1;
  data_position next; ///< The place after this batch.
};

/// A sample that could not be made, and why.
struct bad_sample {
  std::uint64_t id = 0;    ///< Index in the data set.
  std::uint32_t slot = 0;  ///< Slot in its batch.
  std::string name = {};   ///< Path, or "images.gz[17]".
  std::string reason = {}; ///< Without name and stage.
  std::string stage = {};  ///< Who could not: "loader", "augmenter", "collator", "stage smear#1".
  std::uint64_t epoch = 0; ///< 0-based; 0 where all epochs are the same.
};

} // namespace troupe
