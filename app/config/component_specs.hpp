/// What plugins have brought up to now, as the lists and options of a config need it.
#pragma once

#include "actors/support/components/component_registry.hpp"
#include "app/config/item_list.hpp"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

[[nodiscard]] std::vector<item_spec<component_use>> batch_step_specs();
[[nodiscard]] std::vector<item_spec<component_use>> format_specs();
[[nodiscard]] std::vector<item_spec<component_use>> metric_specs();
[[nodiscard]] std::vector<item_spec<component_use>> sink_specs();
[[nodiscard]] std::vector<item_spec<parameters>> data_source_specs();
[[nodiscard]] std::vector<item_spec<parameters>> model_specs();

/// A list of components, each `name` (with defaults) or `{name: {parameter: value}}`. `noun` is what messages call one.
[[nodiscard]] codec<std::vector<component_use>> component_list(const std::string& noun,
                                                               std::vector<item_spec<component_use>> specs);

/// Where a plugin's actor works.
enum class actor_place : std::uint8_t { augmenter, stage, listener };

/// Returns "augmenter".
[[nodiscard]] std::string to_string(actor_place x);

/// A plugin's actor, as far as a config is about it.
struct offered_actor {
  component_info info;
  actor_place place = actor_place::stage;
  bool is_ordered = false; ///< There may be only one instance.
  bool weighs = false;     ///< A listener that says how samples are drawn.
};

[[nodiscard]] std::vector<offered_actor> offered_actors();

/// Returns how many components and actors there are; grows with every plugin that is loaded.
[[nodiscard]] std::size_t num_offers();

} // namespace troupe
