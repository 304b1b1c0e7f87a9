#include "app/trace_tools/story/snapshot_fates.hpp"

#include <algorithm>

namespace troupe {

void snapshot_fates::take(const trace_record& record) {
  if (record.version == no_id || record.kind == trace_kind::sample || record.kind == trace_kind::link)
    return;
  auto& fate = fates_[record.version];
  fate.version = record.version;
  if (record.step != no_id)
    fate.step = record.step;
  if (record.kind == trace_kind::message) {
    if (record.name == names_->snapshot && record.receiver == names_->saver && !fate.to_saver)
      fate.to_saver = record;
    else if (record.name == names_->snapshot && record.receiver == names_->validator)
      fate.to_validator = record;
    else if (record.name == names_->validation_report)
      fate.report = record;
    else if (record.name == names_->snapshot_judged)
      fate.judged = record;
  } else if (record.kind == trace_kind::mark) {
    if (record.name == names_->durable)
      fate.durable = record;
    else if (record.name == names_->failed)
      fate.failed = record;
    else if (record.name == names_->superseded)
      fate.superseded = record;
  } else if (record.kind == trace_kind::value) {
    if (record.name == names_->top1)
      fate.top1 = recorded_value(record);
    else if (record.name == names_->validation_loss)
      fate.loss = recorded_value(record);
  }
}

template <class Condition>
const snapshot_fate* snapshot_fates::first_where(const Condition& condition) const {
  const auto found =
    std::find_if(fates_.begin(), fates_.end(), [&](const auto& each) { return condition(each.second); });
  return found == fates_.end() ? nullptr : &found->second;
}

const snapshot_fate* snapshot_fates::find(std::uint64_t version) const {
  const auto found = fates_.find(version);
  return found == fates_.end() ? nullptr : &found->second;
}

const snapshot_fate* snapshot_fates::first_with(std::uint64_t step) const {
  return first_where([step](const auto& fate) { return fate.step != no_id && fate.step >= step; });
}

const snapshot_fate* snapshot_fates::first_durable_with(std::uint64_t step) const {
  return first_where([step](const auto& fate) { return fate.durable && fate.step != no_id && fate.step >= step; });
}

const snapshot_fate* snapshot_fates::first_judged_with(std::uint64_t step) const {
  return first_where(
    [step](const auto& fate) { return (fate.report || fate.top1) && fate.step != no_id && fate.step >= step; });
}

const snapshot_fate* snapshot_fates::before(std::uint64_t version) const {
  const auto next = fates_.lower_bound(version);
  return next == fates_.begin() ? nullptr : &std::prev(next)->second;
}

const snapshot_fate* snapshot_fates::judged_after(std::int64_t ns) const {
  const snapshot_fate* found = nullptr;
  for (const auto& [version, fate] : fates_)
    if (fate.report && fate.report->enqueued_ns >= ns
        && (found == nullptr || fate.report->enqueued_ns < found->report->enqueued_ns))
      found = &fate;
  return found;
}

} // namespace troupe
