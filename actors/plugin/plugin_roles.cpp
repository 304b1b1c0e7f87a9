#include "actors/plugin/plugin_roles.hpp"

namespace troupe {

actor_registry& actor_registry::instance() {
  static actor_registry only;
  return only;
}

} // namespace troupe
