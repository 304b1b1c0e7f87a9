/// Promises of callers, checked in every build: a broken one ends the process with a message.
#pragma once

#include <thread>

namespace troupe {

/// Ends the process with "who: what" on stderr unless `holds`.
void require(bool holds, const char* who, const char* what) noexcept;

/// Remembers the thread that made it, the only one that may use what it guards.
class owner_thread {
public:
  /// Ends the process if called on another thread; `who` names what is guarded.
  void check(const char* who) const noexcept {
    require(std::this_thread::get_id() == id_, who, "used on another thread than the one that made it");
  }

private:
  std::thread::id id_ = std::this_thread::get_id();
};

} // namespace troupe
