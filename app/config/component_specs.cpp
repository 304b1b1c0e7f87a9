#include "app/config/component_specs.hpp"

#include "actors/plugin/plugin_roles.hpp"
#include "app/config/parameter_keys.hpp"

namespace troupe {

namespace {

constexpr std::size_t max_components = 64;

template <class Component>
std::vector<item_spec<component_use>> use_specs(const std::vector<Component>& offered) {
  std::vector<item_spec<component_use>> out;
  for (const component_info& info : offered)
    out.push_back({info.name, sentence(info.about), component_use{info.name, parameters{info.parameters}},
                   parameter_keys<component_use>(
                     info.parameters, [](const component_use& x) -> const parameters& { return x.values; },
                     [](component_use& x) -> parameters& { return x.values; }),
                   info.plugin});
  return out;
}

template <class Component>
std::vector<item_spec<parameters>> option_specs(const std::vector<Component>& offered) {
  std::vector<item_spec<parameters>> out;
  for (const component_info& info : offered)
    out.push_back({info.name, sentence(info.about), parameters{info.parameters},
                   parameter_keys<parameters>(
                     info.parameters, [](const parameters& x) -> const parameters& { return x; },
                     [](parameters& x) -> parameters& { return x; }),
                   info.plugin});
  return out;
}

template <class Kind>
void add_actors(const std::vector<Kind>& kinds, actor_place place, std::vector<offered_actor>& out) {
  for (const auto& kind : kinds)
    out.push_back({kind, place, kind.how_many == instances::ordered, kind.weighs});
}

} // namespace

std::vector<item_spec<component_use>> batch_step_specs() {
  return use_specs(component_registry::instance().batch_transforms);
}

std::vector<item_spec<component_use>> format_specs() {
  return use_specs(component_registry::instance().decoders);
}

std::vector<item_spec<component_use>> metric_specs() {
  return use_specs(component_registry::instance().metrics);
}

std::vector<item_spec<component_use>> sink_specs() {
  return use_specs(component_registry::instance().log_sinks);
}

std::vector<item_spec<parameters>> data_source_specs() {
  return option_specs(component_registry::instance().data_sources);
}

std::vector<item_spec<parameters>> model_specs() {
  return option_specs(component_registry::instance().models);
}

codec<std::vector<component_use>> component_list(const std::string& noun, std::vector<item_spec<component_use>> specs) {
  return item_list(item_kind<component_use>{noun, std::move(specs), [](const component_use& x) { return x.name; }},
                   max_components);
}

std::string to_string(actor_place x) {
  switch (x) {
  case actor_place::augmenter:
    return "augmenter";
  case actor_place::stage:
    return "stage";
  case actor_place::listener:
    return "listener";
  }
  return "actor";
}

std::vector<offered_actor> offered_actors() {
  const auto& all = actor_registry::instance();
  std::vector<offered_actor> out;
  add_actors(all.augmenters, actor_place::augmenter, out);
  add_actors(all.stages, actor_place::stage, out);
  add_actors(all.listeners, actor_place::listener, out);
  return out;
}

std::size_t num_offers() {
  const auto& parts = component_registry::instance();
  const auto& actors = actor_registry::instance();
  return parts.transforms.size() + parts.batch_transforms.size() + parts.data_sources.size() + parts.decoders.size()
         + parts.models.size() + parts.metrics.size() + parts.log_sinks.size() + actors.augmenters.size()
         + actors.stages.size() + actors.listeners.size();
}

} // namespace troupe
