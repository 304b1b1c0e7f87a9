/// What became of the snapshots of a process: written, judged, or not.
#pragma once

#include "app/trace_tools/story/run_names.hpp"
#include "app/trace_tools/story/story_line.hpp"

#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace troupe {

/// One snapshot. What is missing was not recorded, or did not happen.
struct snapshot_fate {
  std::uint64_t version = no_id;
  std::uint64_t step = no_id;
  std::optional<trace_record> to_saver;
  std::optional<trace_record> to_validator;
  std::optional<trace_record> durable; ///< Marks.
  std::optional<trace_record> failed;
  std::optional<trace_record> superseded;
  std::optional<trace_record> report; ///< validation_report
  std::optional<trace_record> judged; ///< snapshot_judged: the validator is done with it, or did not get to it.
  std::optional<double> top1;
  std::optional<double> loss;
};

/// All snapshots of one process, as its records pass by.
class snapshot_fates {
public:
  explicit snapshot_fates(const run_names& names) : names_(&names) {}

  void take(const trace_record& record);

  /// nullptr if there is none of that version.
  [[nodiscard]] const snapshot_fate* find(std::uint64_t version) const;
  /// The first one that contains the step. nullptr: none.
  [[nodiscard]] const snapshot_fate* first_with(std::uint64_t step) const;
  /// The first one that contains the step and is on disk.
  [[nodiscard]] const snapshot_fate* first_durable_with(std::uint64_t step) const;
  /// The first one that contains the step and was judged.
  [[nodiscard]] const snapshot_fate* first_judged_with(std::uint64_t step) const;
  /// The newest one before `version`; nullptr: none.
  [[nodiscard]] const snapshot_fate* before(std::uint64_t version) const;
  /// The first one whose report was sent at `ns` or later; nullptr: none.
  [[nodiscard]] const snapshot_fate* judged_after(std::int64_t ns) const;

private:
  template <class Condition>
  const snapshot_fate* first_where(const Condition& condition) const;

  const run_names* names_;
  std::map<std::uint64_t, snapshot_fate> fates_; ///< By version.
};

/// "checkpoint step-...: durable at ...", or what else became of the snapshot as a checkpoint.
/// @param run_folder Where `checkpoints/` is.
[[nodiscard]] story_line tell_checkpoint(const recorded_process& process, const snapshot_fate& fate,
                                         const std::string& run_folder);

/// "validation of snapshot 2 (step 3): top1 0.9, loss 0.3 ...", or that there was none.
[[nodiscard]] story_line tell_validation(const recorded_process& process, const snapshot_fate& fate);

/// Where a step went: the first snapshot, checkpoint and validation that contain it.
void tell_whereabouts(const recorded_process& process, const snapshot_fates& fates, std::uint64_t step,
                      const std::string& run_folder, story_line& story);

} // namespace troupe
