/// Images in tar archives, as WebDataset packs them.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Bound on the images of compressed shards, which are kept in memory.
constexpr std::uint64_t max_inflated_bytes = std::uint64_t{1} << 30;

/// Returns the data set of the shards `config.files` in `config.root`, in this order; names may have ranges (see
/// `expand_shard_names`). Each shard is gone through once, here; from a plain one, images are then read where they lie.
/// For what a shard holds see `tar_index.hpp`; labels are names, or ids if all of them are whole numbers that are not
/// names in `classes`. Errors: bad_config, mismatch, and those of `read_tar_index`.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_tar_dataset(const dataset_config& config,
                                                                  const std::vector<std::string>& classes);

} // namespace troupe
