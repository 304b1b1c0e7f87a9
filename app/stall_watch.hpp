/// Notices when nothing moves any more. Logic only: time is passed in.
#pragma once

#include <chrono>
#include <cstdint>
#include <map>
#include <optional>
#include <string>

namespace troupe {

/// Fed with what each actor says it has done; tells when none of it has grown for too long.
class stall_watch {
public:
  using time_point = std::chrono::steady_clock::time_point;

  explicit stall_watch(std::chrono::milliseconds timeout) : timeout_(timeout) {}

  /// Starts to count from now.
  void reset(time_point now) { moved_at_ = now; }

  /// Notes how much `actor` has done so far.
  void report(const std::string& actor, std::uint64_t done, time_point now) {
    auto& last = done_[actor];
    if (done != last)
      moved_at_ = now;
    last = done;
  }

  /// How long nothing has moved, if it is longer than the time-out.
  [[nodiscard]] std::optional<std::chrono::milliseconds> stalled_for(time_point now) const {
    const auto idle = std::chrono::duration_cast<std::chrono::milliseconds>(now - moved_at_);
    return idle > timeout_ ? std::optional(idle) : std::nullopt;
  }

private:
  std::chrono::milliseconds timeout_;
  time_point moved_at_{};
  std::map<std::string, std::uint64_t> done_;
};

} // namespace troupe
