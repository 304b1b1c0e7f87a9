/// What plugins' failures lead to for the length of a test, and which there were.
#pragma once

#include "actors/support/components/plugin_guard.hpp"

#include <mutex>
#include <stdexcept>
#include <string>
#include <vector>

namespace troupe::testing {

class plugin_failure_log {
public:
  explicit plugin_failure_log(plugin_policy policy = plugin_policy::skip) {
    handle_plugin_failures({policy, [this](const plugin_failure& x) {
                              const std::lock_guard lock(mutex_);
                              all_.push_back(x);
                            }});
  }
  plugin_failure_log(const plugin_failure_log&) = delete;
  plugin_failure_log& operator=(const plugin_failure_log&) = delete;
  ~plugin_failure_log() { handle_plugin_failures({}); }

  [[nodiscard]] std::vector<plugin_failure> all() const {
    const std::lock_guard lock(mutex_);
    return all_;
  }

private:
  mutable std::mutex mutex_;
  std::vector<plugin_failure> all_;
};

/// No std::exception.
struct own_trouble {
  int code = 0;
};

/// Throws by what the word says: "error", "number" or "own"; else nothing.
inline void throw_as(const std::string& word) {
  if (word == "error")
    throw std::runtime_error("went wrong");
  if (word == "number")
    throw 7;
  if (word == "own")
    throw own_trouble{3};
}

} // namespace troupe::testing
