/// May a run go on under another config?
#pragma once

#include "actors/support/expected.hpp"
#include "app/config/run_config.hpp"

#include <string>
#include <vector>

namespace troupe {

/// Returns a notice for each accepted difference ("train.epochs changed from 10 to 20"). Fails with `mismatch` if
/// anything differs that shapes the model, the order of the data or the optimizer; the text lists every such key with
/// its stored and its new value.
[[nodiscard]] expected<std::vector<std::string>> check_resume(const run_config& stored, const run_config& now);

} // namespace troupe
