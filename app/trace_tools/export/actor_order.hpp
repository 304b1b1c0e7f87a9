/// The order in which pictures show the actors: along the way of a batch.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// Places of actors by the numbers of their names; "(other)", number 0, is the first. Actors of unknown roles come last.
[[nodiscard]] std::vector<std::uint32_t> actor_places(const recorded_process& process);

/// The same for every process.
[[nodiscard]] std::vector<std::vector<std::uint32_t>> actor_places(const recorded_trace& trace);

} // namespace troupe
