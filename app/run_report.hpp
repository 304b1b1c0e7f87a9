/// From how a run ended to its summary and its exit code.
#pragma once

#include "actors/logger/run_summary.hpp"
#include "app/run_job.hpp"

namespace troupe {

/// 0 done; 1 failed; 2 refused; 3 stopped by policy; 4 done, but something was lost; 130 or 143 interrupted.
[[nodiscard]] int exit_code_of(const run_outcome& outcome);

/// The summary of a run that took `wall_seconds`.
[[nodiscard]] run_summary summarise(const run_job& job, const run_outcome& outcome, double wall_seconds);

} // namespace troupe
