/// What a check has found out, property by property.
#pragma once

#include "actors/support/components/plugin_guard.hpp"

#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace troupe {

enum class finding_kind : std::uint8_t { good, bad, not_checked };

/// "good", "bad", "not_checked"
[[nodiscard]] const char* to_string(finding_kind x) noexcept;

/// One property of one component.
struct finding {
  std::string part;     ///< "transform clahe"
  std::string property; ///< "3x64x48: the same again"
  finding_kind how = finding_kind::not_checked;
  std::string text; ///< What was found, where it is not plain.
};

/// Hands every finding on as soon as there is one. Owned by one thread.
class check_log {
public:
  using listener = std::function<void(const finding&)>;

  check_log(std::string part, listener tell) : part_(std::move(part)), tell_(std::move(tell)) {}

  void good(std::string_view property, std::string text = {}) { add(property, finding_kind::good, std::move(text)); }
  void bad(std::string_view property, std::string text) { add(property, finding_kind::bad, std::move(text)); }
  void not_checked(std::string_view property, std::string why) {
    add(property, finding_kind::not_checked, std::move(why));
  }
  /// Good, or bad with that text.
  void say(std::string_view property, bool is_good, std::string text) {
    is_good ? good(property) : bad(property, std::move(text));
  }

  /// Calls `f()`; what it throws is a bad finding, else there is none. Returns whether it threw nothing.
  template <class F>
  bool survives(std::string_view property, F&& f) {
    try {
      std::forward<F>(f)();
      return true;
    } catch (...) {
      bad(property, "it threw: " + text_of(std::current_exception()));
      return false;
    }
  }

private:
  void add(std::string_view property, finding_kind how, std::string text) {
    tell_({part_, std::string(property), how, std::move(text)});
  }

  std::string part_;
  listener tell_;
};

/// Runs `check` in a process of its own, so that nothing that it does ends this one; what it has found is returned. A
/// process that is ended by a signal, leaves or takes longer than `seconds` is a bad finding more. Call it before this
/// process has threads.
[[nodiscard]] std::vector<finding> check_apart(const std::string& part, unsigned seconds,
                                               const std::function<void(check_log&)>& check);

} // namespace troupe
