/// How snapshots are judged.
#pragma once

#include "actors/support/components/parameters.hpp"
#include "actors/support/network/network_config.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// all: every snapshot is judged. latest: a newer snapshot supersedes one that waits.
enum class validation_policy : std::uint8_t { all, latest };

struct validator_config {
  model_config model;
  compute_config compute;
  validation_policy policy = validation_policy::all;
  std::uint32_t topk = 5;
  std::vector<component_use> metrics = {}; ///< Figures of plugins.
};

} // namespace troupe
