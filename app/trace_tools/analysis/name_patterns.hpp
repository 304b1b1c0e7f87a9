/// Patterns for the names in a run's trace.
#pragma once

#include "actors/tracer/recorded_trace.hpp"

#include <string>

namespace troupe {

/// Refuses a shell pattern that no name in the trace matches: `not_found`, with the names of the actors that there are.
[[nodiscard]] expected<void> check_actor_pattern(const recorded_trace& trace, const std::string& pattern);

/// The same for message types, marks, spans, values and reasons of exits.
[[nodiscard]] expected<void> check_type_pattern(const recorded_trace& trace, const std::string& pattern);

} // namespace troupe
