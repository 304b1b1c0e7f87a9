/// What a training batch is made of, by seed and place alone.
#pragma once

#include "actors/loader/sampler.hpp"
#include "app/config/run_config.hpp"

#include <cstdint>
#include <set>
#include <vector>

namespace troupe {

/// Returns the ids of batch `index` of epoch `epoch` in slot order, if the samples `bad` could not be made in that
/// epoch: they are replaced or closed up as `config.pipeline` says. Takes time for all batches before it if there are
/// bad ones.
/// @pre plan is that of `config`; index < plan.batches_per_epoch()
[[nodiscard]] std::vector<std::uint64_t> compose_batch(const epoch_plan& plan, const run_config& config,
                                                       std::uint64_t epoch, std::uint64_t index,
                                                       const std::set<std::uint64_t>& bad);

/// The same for all batches of the epoch at once.
[[nodiscard]] std::vector<std::vector<std::uint64_t>> compose_epoch(const epoch_plan& plan, const run_config& config,
                                                                    std::uint64_t epoch,
                                                                    const std::set<std::uint64_t>& bad);

/// Returns the share of its own label that each sample of that batch of two or more kept in MixUp or CutMix; 1: it was
/// not mixed. `height` and `width` are those of the pictures.
[[nodiscard]] float own_share_of(const epoch_plan& plan, const run_config& config, std::uint64_t epoch,
                                 std::uint64_t index, std::uint32_t height, std::uint32_t width);

} // namespace troupe
