#include "actors/support/components/component_registry.hpp"

namespace troupe {

component_registry& component_registry::instance() {
  static component_registry only;
  return only;
}

} // namespace troupe
