/// The time of a run on one axis: its processes one after another, without the time between them.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace troupe {

/// What the axis shows of one process.
struct axis_stretch {
  const recorded_process* process = nullptr;
  std::int64_t begun_ns = 0; ///< On the clock of the records.
  std::int64_t ended_ns = 0;
  double offset = 0;    ///< Where it begins on the axis, seconds.
  double skipped = 0;   ///< Seconds from the process's start that the axis leaves out.
  bool complete = true; ///< Every record of it is there; else the newest ones, or those that were not cut.

  [[nodiscard]] double seconds() const noexcept { return static_cast<double>(ended_ns - begun_ns) * 1e-9; }
};

class time_axis {
public:
  /// Reads the records of processes that do not have them all. `trace` must outlive the axis.
  static time_axis of(const recorded_trace& trace);

  /// One for each process.
  [[nodiscard]] const std::vector<axis_stretch>& stretches() const noexcept { return stretches_; }
  [[nodiscard]] double seconds() const noexcept;
  [[nodiscard]] bool complete() const noexcept;

  /// Place of a time of a process's records; outside of the process's stretch: its nearer end.
  [[nodiscard]] double at(std::size_t process, std::int64_t ns) const noexcept;

private:
  std::vector<axis_stretch> stretches_;
};

} // namespace troupe
