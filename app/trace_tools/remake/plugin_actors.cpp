#include "app/trace_tools/remake/plugin_actors.hpp"

#include "actors/plugin/plugin_roles.hpp"

namespace troupe {

plugin_actors plugin_actors_of(const run_config& config) {
  const auto& registry = actor_registry::instance();
  plugin_actors out;
  for (const auto& use : config.pipeline.stages) {
    const auto& name = use.what.name;
    if (find_component(registry.augmenters, name) != nullptr)
      out.augmenter = name;
    else if (find_component(registry.stages, name) != nullptr)
      out.stages.push_back(name);
    else if (const auto* listener = find_component(registry.listeners, name))
      out.weighs = out.weighs || listener->weighs;
  }
  return out;
}

} // namespace troupe
