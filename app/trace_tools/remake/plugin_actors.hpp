/// What the actors that plugins brought had to do with a run's samples.
#pragma once

#include "app/config/run_config.hpp"

#include <string>
#include <vector>

namespace troupe {

struct plugin_actors {
  std::string augmenter;           ///< That made the training samples in the augmenters' place; empty: none did.
  std::vector<std::string> stages; ///< That changed them afterwards, in order.
  bool weighs = false;             ///< A listener may have said how samples are drawn.
};

/// Those that `config.pipeline.stages` names. @pre the plugins of `config` are loaded, as `load_config` leaves them
[[nodiscard]] plugin_actors plugin_actors_of(const run_config& config);

} // namespace troupe
