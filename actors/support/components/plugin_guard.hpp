/// What happens where a plugin throws: nothing that it throws goes further than the call.
///
/// An infrastructure file with an atomic: many threads call one component, and all of them must know when it has been
/// disabled.
#pragma once

#include "actors/support/expected.hpp"

#include <atomic>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <utility>

namespace troupe {

/// "At no sample in particular."
inline constexpr std::uint64_t no_sample = std::numeric_limits<std::uint64_t>::max();

/// What a failure of a plugin leads to.
enum class plugin_policy : std::uint8_t {
  fail,    ///< The run ends, with a checkpoint.
  skip,    ///< What the plugin was at is left out, and counted.
  disable, ///< From then on the run goes on as if the plugin were not there.
};

/// One failure, told.
struct plugin_failure {
  std::string plugin;               ///< Name of the plugin.
  std::string component;            ///< Its part that failed: "clahe", "augmenter mosaic#1".
  std::string what;                 ///< What it threw.
  std::uint64_t sample = no_sample; ///< That it was at; the largest: none in particular.
  bool disabled = false;            ///< It is not called any more.
};

/// What the process does with failures. Set before the first actor is spawned, and again when the last is gone; without,
/// the policy is `skip` and nobody is told.
struct plugin_failure_handling {
  plugin_policy policy = plugin_policy::skip;
  std::function<void(const plugin_failure&)> report; ///< Called on whichever thread it happened; must not throw.
};
void handle_plugin_failures(plugin_failure_handling how);
[[nodiscard]] const plugin_failure_handling& plugin_failures() noexcept;

/// The text of what was thrown; whatever it is.
[[nodiscard]] std::string text_of(const std::exception_ptr& thrown);

/// Stands between the program and one component of a plugin.
class plugin_guard {
public:
  plugin_guard(std::string plugin, std::string component)
    : plugin_(std::move(plugin)), component_(std::move(component)) {}

  [[nodiscard]] const std::string& component() const noexcept { return component_; }

  /// False from the first failure on, under the policy `disable`.
  [[nodiscard]] bool enabled() const noexcept { return enabled_.load(std::memory_order_relaxed); }

  /// Calls `f()`. What it throws is reported, and returned as `ec::plugin_failed`, with the component's name.
  template <class F>
  [[nodiscard]] expected<void> call(std::uint64_t sample, F&& f) noexcept {
    try {
      std::forward<F>(f)();
      return {};
    } catch (...) {
      return failed(sample, text_of(std::current_exception()));
    }
  }

  /// Reports a failure that was found out otherwise: a wrong shape, say.
  [[nodiscard]] failure failed(std::uint64_t sample, std::string what) noexcept;

private:
  std::string plugin_;
  std::string component_;
  std::atomic<bool> enabled_{true};
};

} // namespace troupe
