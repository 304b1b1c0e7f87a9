#include "app/trace_tools/report/time_axis.hpp"

#include <algorithm>
#include <array>

namespace troupe {

namespace {

constexpr std::size_t num_slots = 4096;
/// A flight recorder keeps old records of threads that have little to tell: they are no reason to show all that time.
constexpr double left_out = 0.05;

std::int64_t time_of(const trace_record& record) noexcept {
  return record.dequeued_ns != 0 ? record.dequeued_ns : record.enqueued_ns;
}

/// Records per slot of a process's time.
struct record_times {
  std::array<std::uint64_t, num_slots> slots{};
  std::uint64_t count = 0;

  explicit record_times(const recorded_process& process) {
    const auto length = static_cast<double>(std::max<std::int64_t>(process.seen_ns - process.started_ns, 1));
    visit_records(process, [&](const trace_record& record) {
      const auto share = static_cast<double>(time_of(record) - process.started_ns) / length;
      ++slots[static_cast<std::size_t>(std::clamp(share, 0.0, 1.0) * (num_slots - 1))];
      ++count;
    });
  }

  /// Share of the process's time before the moment that so many records come after.
  [[nodiscard]] double begin(double share_left_out) const {
    const auto skipped = static_cast<std::uint64_t>(static_cast<double>(count) * share_left_out);
    std::uint64_t seen = 0;
    for (std::size_t i = 0; i < num_slots; ++i)
      if ((seen += slots[i]) > skipped)
        return static_cast<double>(i) / num_slots;
    return 0;
  }
};

axis_stretch stretch_of(const recorded_process& process) {
  axis_stretch out{.process = &process, .begun_ns = process.started_ns};
  out.ended_ns = std::max(process.seen_ns, process.started_ns);
  if (process.full && process.cut == 0)
    return out;
  const record_times times(process);
  out.complete = times.count >= process.recorded;
  if (!out.complete) {
    out.skipped = times.begin(process.full ? 0 : left_out) * out.seconds();
    out.begun_ns += static_cast<std::int64_t>(out.skipped * 1e9);
  }
  return out;
}

} // namespace

time_axis time_axis::of(const recorded_trace& trace) {
  time_axis axis;
  for (const auto& process : trace.processes) {
    auto stretch = stretch_of(process);
    stretch.offset = axis.seconds();
    axis.stretches_.push_back(stretch);
  }
  return axis;
}

double time_axis::seconds() const noexcept {
  return stretches_.empty() ? 0 : stretches_.back().offset + stretches_.back().seconds();
}

bool time_axis::complete() const noexcept {
  return std::all_of(stretches_.begin(), stretches_.end(), [](const auto& each) { return each.complete; });
}

double time_axis::at(std::size_t process, std::int64_t ns) const noexcept {
  const auto& stretch = stretches_[process];
  return stretch.offset
         + static_cast<double>(std::clamp(ns, stretch.begun_ns, stretch.ended_ns) - stretch.begun_ns) * 1e-9;
}

} // namespace troupe
