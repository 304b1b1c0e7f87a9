/// What a plugin fills: all that it offers, by name.
#pragma once

#include "actors/plugin/plugin_roles.hpp"
#include "actors/plugin/start_role.hpp"
#include "actors/support/components/component_registry.hpp"

#include <string>
#include <utility>

namespace troupe {

/// How a whole actor may be used.
struct actor_traits {
  instances how_many = instances::stateless;
  bool own_thread = false; ///< It blocks: waits for a device, a file, another process.
  bool weighs = false;     ///< Listeners: it says how samples are to be drawn; one per run may.
};

/// Handed to the body of `TROUPE_PLUGIN`. Nothing is offered to anybody before that body has ended well, so a plugin that
/// throws half-way leaves nothing behind. Names are snake_case, and of one kind there may be one of a name in a process;
/// the loader sees to that.
class plugin {
public:
  explicit plugin(std::string name) : name_(std::move(name)) {}

  // Components: `make(parameters, ...)` returns one, ready to be used. See component_registry.hpp for what else it gets.
  void transform(std::string name, std::string about, parameter_list list, decltype(transform_component::make) make) {
    add(components.transforms, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void batch_transform(std::string name, std::string about, parameter_list list,
                       decltype(batch_transform_component::make) make) {
    add(components.batch_transforms, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void data_source(std::string name, std::string about, parameter_list list,
                   decltype(data_source_component::make) make) {
    add(components.data_sources, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void decoder(std::string name, std::string about, parameter_list list, decltype(decoder_component::make) make) {
    add(components.decoders, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void model(std::string name, std::string about, parameter_list list, decltype(model_component::make) make) {
    add(components.models, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void metric(std::string name, std::string about, parameter_list list, decltype(metric_component::make) make) {
    add(components.metrics, std::move(name), std::move(about), std::move(list), std::move(make));
  }
  void log_sink(std::string name, std::string about, parameter_list list, decltype(log_sink_component::make) make) {
    add(components.log_sinks, std::move(name), std::move(about), std::move(list), std::move(make));
  }

  // Whole actors: `behave(self, role)` is a CAF behaviour function with a `plugin_pointer<handle, state> self`.
  template <class State>
  void augmenter(std::string name, std::string about, actor_traits traits, parameter_list list,
                 augmenter_actor::behavior_type (*behave)(plugin_pointer<augmenter_actor, State>, augmenter_role)) {
    add_actor(actors.augmenters, std::move(name), std::move(about), traits, std::move(list),
              spawner_of<augmenter_actor, State, augmenter_role>(behave, traits.own_thread));
  }
  template <class State>
  void stage(std::string name, std::string about, actor_traits traits, parameter_list list,
             stage_actor::behavior_type (*behave)(plugin_pointer<stage_actor, State>, stage_role)) {
    add_actor(actors.stages, std::move(name), std::move(about), traits, std::move(list),
              spawner_of<stage_actor, State, stage_role>(behave, traits.own_thread));
  }
  template <class State>
  void listener(std::string name, std::string about, actor_traits traits, parameter_list list,
                listener_actor::behavior_type (*behave)(plugin_pointer<listener_actor, State>, listener_role)) {
    add_actor(actors.listeners, std::move(name), std::move(about), traits, std::move(list),
              spawner_of<listener_actor, State, listener_role>(behave, traits.own_thread));
  }

  component_registry components;
  actor_registry actors;

private:
  template <class Component, class Make>
  void add(std::vector<Component>& to, std::string name, std::string about, parameter_list list, Make make) {
    to.push_back({{std::move(name), std::move(about), std::move(list), name_}, std::move(make)});
  }
  template <class Kind, class Spawn>
  void add_actor(std::vector<Kind>& to, std::string name, std::string about, const actor_traits& traits,
                 parameter_list list, Spawn spawn) {
    to.push_back({{std::move(name), std::move(about), std::move(list), name_},
                  traits.how_many,
                  traits.own_thread,
                  traits.weighs,
                  std::move(spawn)});
  }

  std::string name_;
};

} // namespace troupe
