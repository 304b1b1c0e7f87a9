/// The validations that a run owes: due before it was cut off, and not made.
#pragma once

#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace troupe {

/// The steps that `validation.csv` at `path` has rows of; none if there is no such file.
expected<std::set<std::uint64_t>> judged_steps(const std::string& path);

/// Whether a validation is due after the step that the snapshot is of: by the interval, or because the step is the last
/// of `num_epochs` epochs.
[[nodiscard]] bool validation_due(const snapshot& state, const interval& every, std::uint64_t num_epochs) noexcept;

/// The snapshots, oldest first, that are due and have no row: from the checkpoints in `folder` that the run passed on
/// its way to `resumed`. `resumed` itself is among them whenever it is due: if its judgement stands already, made again
/// it is the same, and the best is sure to know of it.
[[nodiscard]] std::vector<snapshot_ptr> find_unjudged(const std::string& folder, const snapshot_ptr& resumed,
                                                      const interval& every, std::uint64_t num_epochs,
                                                      const std::set<std::uint64_t>& judged);

} // namespace troupe
