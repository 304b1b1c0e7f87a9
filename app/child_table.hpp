/// Who is on stage: the supervisor's table of actors, alive and dead.
#pragma once

#include "messages/flow.hpp"

#include <caf/actor.hpp>
#include <caf/actor_addr.hpp>
#include <caf/actor_cast.hpp>

#include <functional>
#include <string>
#include <vector>

namespace troupe {

/// One actor. `restart` is empty if it is not to be restarted.
struct child {
  std::string name;
  caf::actor handle;       ///< Null once it is down.
  caf::actor_addr address; ///< Stays, to tell a late message of it from those of its successor.
  std::function<void()> restart;
  bool told_to_exit = false;
  bool status_asked = false; ///< A request for its status is under way.
  actor_status status;       ///< Its last answer.

  [[nodiscard]] bool alive() const noexcept { return static_cast<bool>(handle); }
};

/// Children by the order of their start. A restarted child takes its predecessor's place.
class child_table {
public:
  child& add(std::string name, caf::actor handle, std::function<void()> restart = {}) {
    for (auto& each : children_)
      if (each.name == name)
        return each = child{std::move(name), handle, handle.address(), std::move(restart), false, false, {}};
    return children_.emplace_back(
      child{std::move(name), handle, handle.address(), std::move(restart), false, false, {}});
  }

  /// The child with that address; nullptr for one that has been replaced.
  [[nodiscard]] child* find(const caf::actor_addr& address) {
    for (auto& each : children_)
      if (each.address == address)
        return &each;
    return nullptr;
  }
  [[nodiscard]] child* find(const std::string& name) {
    for (auto& each : children_)
      if (each.name == name)
        return &each;
    return nullptr;
  }

  [[nodiscard]] bool any_alive() const {
    for (auto& each : children_)
      if (each.alive())
        return true;
    return false;
  }

  [[nodiscard]] std::vector<child>& all() noexcept { return children_; }
  [[nodiscard]] const std::vector<child>& all() const noexcept { return children_; }

private:
  std::vector<child> children_;
};

} // namespace troupe
