/// A message field that many may copy and exactly one may take.
///
/// One of the few infrastructure files with an atomic: CAF copies message elements freely (fan-out, copy-on-write), so
/// the decision who of the copies' holders gets the value has to be made between threads.
#pragma once

#include <atomic>
#include <memory>
#include <optional>
#include <utility>

namespace troupe {

/// Carries a move-only `T` through messages that must be copyable. The first `take` wins; a lease that nobody takes
/// destroys its value with its last copy, so `T`'s destructor sees to it that the value finds its way home.
template <class T>
class lease {
public:
  lease() = default;
  explicit lease(T value) : cell_(std::make_shared<cell>(std::move(value))) {}

  /// Returns the value to the first caller and nothing to all others. Safe from any thread.
  [[nodiscard]] std::optional<T> take() {
    auto held = std::exchange(cell_, nullptr);
    if (!held || held->taken.exchange(true, std::memory_order_acq_rel))
      return std::nullopt;
    return std::optional<T>(std::move(held->value));
  }

private:
  struct cell {
    explicit cell(T x) : value(std::move(x)) {}
    std::atomic<bool> taken{false};
    T value;
  };
  std::shared_ptr<cell> cell_;
};

} // namespace troupe
