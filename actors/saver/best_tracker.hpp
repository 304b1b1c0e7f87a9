/// Which snapshot is the best so far.
#pragma once

#include "actors/saver/saver_config.hpp"
#include "actors/support/expected.hpp"
#include "messages/metric.hpp"
#include "messages/snapshot.hpp"

#include <map>
#include <optional>
#include <string>
#include <vector>

namespace troupe {

/// The best judgement so far: the value of the monitored metric and the snapshot that has it.
struct best_record {
  double value = 0;
  snapshot_tag tag;
  friend bool operator==(const best_record&, const best_record&) = default;
};

class best_tracker {
public:
  /// Follows `monitor` (top1 | topk | loss, or a figure of a plugin, one of `figures`); `bad_config` for any other.
  static expected<best_tracker> make(const std::string& monitor, monitor_mode mode,
                                     const std::vector<std::string>& figures = {});

  /// Whether the judged snapshot is better than all before; if so it is the best from now on. A value that is not
  /// finite never is, and of equals the earlier one stays. @pre `report.snapshot != nullptr`
  bool offer(const validation_report& report);

  [[nodiscard]] const std::optional<best_record>& best() const noexcept { return best_; }

  /// The record as notes of a checkpoint, every bit of the value kept; none without a record.
  [[nodiscard]] std::map<std::string, std::string> to_notes() const;

  /// Takes over the record in the notes of a checkpoint; notes without one change nothing. `mismatch`: the record is of
  /// another monitor or mode, so its value compares with nothing. `corrupt`: not what `to_notes` writes.
  expected<void> restore(const std::map<std::string, std::string>& notes);

private:
  best_tracker(std::string monitor, monitor_mode mode) : monitor_(std::move(monitor)), mode_(mode) {}

  [[nodiscard]] double value_of(const validation_report& report) const noexcept;

  std::string monitor_;
  monitor_mode mode_;
  std::optional<best_record> best_;
};

} // namespace troupe
