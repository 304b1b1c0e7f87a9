/// Which sinks the logger writes.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <map>
#include <string>
#include <variant>
#include <vector>

namespace troupe {

enum class console_mode : std::uint8_t { automatic, live, plain, quiet };

struct logger_config {
  std::string folder;                             ///< The run folder.
  console_mode console = console_mode::automatic; ///< automatic: live on a terminal, plain elsewhere.
  bool csv = true;
  bool tensorboard = true;
  std::uint64_t every_steps = 50;   ///< A metrics row per so many steps, and one at every epoch's end.
  std::vector<std::string> classes; ///< Class names by id.
  std::uint64_t total_steps = 0;    ///< For the ETA.
  std::uint64_t total_epochs = 0;
  std::uint64_t resumed_step = 0; ///< 0: a fresh run. Rows past it are cut off once.
  bool resumed = false;
  std::string config_yaml; ///< The resolved config, to be kept in the run folder.
  std::string run;         ///< Run name: the group of its trials in TensorBoard.
  std::map<std::string, std::variant<bool, double, std::string>> hyper_parameters; ///< For TensorBoard; may be empty.
  std::vector<std::string> figures; ///< Names of `validation_report::figures`, in that order.
  std::vector<component_use> sinks; ///< Of plugins.
};

} // namespace troupe
