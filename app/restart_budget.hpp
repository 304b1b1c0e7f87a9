/// How often children may be restarted before the run is given up: OTP's intensity and period.
#pragma once

#include <chrono>
#include <cstddef>
#include <deque>

namespace troupe {

/// Allows `max_restarts` restarts within any `period`. Logic only: time is passed in.
class restart_budget {
public:
  using time_point = std::chrono::steady_clock::time_point;

  restart_budget(std::size_t max_restarts, std::chrono::seconds period) : max_(max_restarts), period_(period) {}

  /// Takes a restart out of the budget; false if it is spent.
  [[nodiscard]] bool take(time_point now) {
    while (!taken_.empty() && now - taken_.front() > period_)
      taken_.pop_front();
    if (taken_.size() >= max_)
      return false;
    taken_.push_back(now);
    return true;
  }

  [[nodiscard]] std::size_t num_taken() const noexcept { return taken_.size(); }

private:
  std::size_t max_;
  std::chrono::seconds period_;
  std::deque<time_point> taken_;
};

} // namespace troupe
