/// What plugins offer, to be read.
#pragma once

#include "app/plugins/plugin_loader.hpp"

#include "actors/support/components/component_registry.hpp"

#include <string>
#include <vector>

namespace troupe {

/// One thing that a plugin offers.
struct offered_part {
  std::string kind;   ///< "transform", "stage"
  std::string key;    ///< Of the config, where it is named: "log.sinks".
  std::string traits; ///< Of whole actors: "ordered, own thread"; else empty.
  component_info info;
};

/// All that the plugin of that name has brought, by kind, in its own order.
[[nodiscard]] std::vector<offered_part> parts_of(const std::string& plugin);

[[nodiscard]] std::string plugins_text(const std::vector<loaded_plugin>& plugins);
/// An object {"plugins": [...], "refused": [...]}; `refused`: why others could not be loaded.
[[nodiscard]] std::string plugins_json(const std::vector<loaded_plugin>& plugins,
                                       const std::vector<std::string>& refused);

} // namespace troupe
