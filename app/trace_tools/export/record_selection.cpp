#include "app/trace_tools/export/record_selection.hpp"

#include <algorithm>
#include <fnmatch.h>
#include <limits>
#include <utility>

namespace troupe {

namespace {

/// Turns the times of one process into times since the first one started, by the clocks on the wall.
class process_clock {
public:
  process_clock(const recorded_trace& trace, const recorded_process& process)
    : offset_(process.realtime_ns - trace.processes.front().realtime_ns - process.started_ns) {}

  [[nodiscard]] std::int64_t convert(std::int64_t ns) const noexcept {
    return ns == 0 ? 0 : std::max<std::int64_t>(ns + offset_, 1);
  }

  [[nodiscard]] selected_record convert(const trace_record& record, std::uint32_t process) const noexcept {
    selected_record result{record, process};
    result.record.enqueued_ns = convert(record.enqueued_ns);
    result.record.dequeued_ns = convert(record.dequeued_ns);
    result.record.ended_ns = convert(record.ended_ns);
    return result;
  }

private:
  std::int64_t offset_;
};

std::int64_t end_of(const recorded_trace& trace) {
  std::int64_t end = 0;
  for (const auto& process : trace.processes)
    end = std::max(end, process_clock{trace, process}.convert(process.seen_ns));
  return end;
}

bool older(const selected_record& a, const selected_record& b) noexcept {
  return a.last_ns() < b.last_ns();
}

/// Keeps what is newest. Sorts only when it holds twice of what it may.
class newest_records {
public:
  newest_records(std::uint64_t room, const record_cost& cost) : room_(room), cost_(cost) {}

  void add(const selected_record& record) {
    const auto cost = cost_(record.record);
    if (cost == 0)
      return;
    records_.push_back(record);
    taken_ += cost;
    if (taken_ / 2 > room_)
      trim();
  }

  std::vector<selected_record> take() {
    trim();
    return std::move(records_);
  }

private:
  void trim() {
    std::stable_sort(records_.begin(), records_.end(), older);
    auto first = records_.begin();
    for (; first != records_.end() && taken_ > room_; ++first)
      taken_ -= cost_(first->record);
    records_.erase(records_.begin(), first);
  }

  std::uint64_t room_;
  const record_cost& cost_;
  std::uint64_t taken_ = 0;
  std::vector<selected_record> records_;
};

std::uint64_t count_messages(const std::vector<selected_record>& records) {
  return static_cast<std::uint64_t>(std::count_if(
    records.begin(), records.end(), [](const auto& each) { return each.record.kind == trace_kind::message; }));
}

} // namespace

std::int64_t selected_record::last_ns() const noexcept {
  return std::max({record.enqueued_ns, record.dequeued_ns, record.ended_ns});
}

void record_selection::keep_newest(std::size_t num_records) {
  const auto surplus = records.size() - std::min(records.size(), num_records);
  records.erase(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(surplus));
  num_kept = count_messages(records);
}

actor_filter::actor_filter(const recorded_trace& trace, const std::vector<std::string>& patterns) {
  for (const auto& process : trace.processes) {
    auto& names = matches_.emplace_back(process.names.size(), patterns.empty());
    for (std::size_t i = 0; i < names.size(); ++i)
      for (const auto& pattern : patterns)
        names[i] = names[i] || fnmatch(pattern.c_str(), process.names[i].c_str(), 0) == 0;
  }
}

bool actor_filter::matches(std::uint32_t process, std::uint32_t name) const noexcept {
  return name < matches_[process].size() && matches_[process][name];
}

record_selection select_records(const recorded_trace& trace, const record_filter& filter, std::uint64_t room,
                                const record_cost& cost) {
  const actor_filter actors{trace, filter.actors};
  const auto since = filter.last ? end_of(trace) - filter.last->count() : std::numeric_limits<std::int64_t>::min();
  newest_records newest{room, cost};
  record_selection selection;
  for (std::uint32_t i = 0; i < trace.processes.size(); ++i) {
    const process_clock clock{trace, trace.processes[i]};
    visit_records(trace.processes[i], [&](const trace_record& record) {
      if (!filter.actors.empty() && !actors.matches(i, record.receiver)
          && (record.sender == 0 || !actors.matches(i, record.sender)))
        return;
      const auto selected = clock.convert(record, i);
      if (selected.last_ns() < since)
        return;
      selection.num_messages += record.kind == trace_kind::message ? 1 : 0;
      newest.add(selected);
    });
  }
  selection.records = newest.take();
  selection.num_kept = count_messages(selection.records);
  return selection;
}

} // namespace troupe
