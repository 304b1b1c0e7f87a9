/// MNIST, Fashion-MNIST and their kin: grey images and labels in a pair of IDX files.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set of `config.root`, `images` and `labels`, held in memory; samples are views of it, one channel.
/// The number of classes is `classes.size()`, or the highest label plus one if no names are given; every label is checked
/// against it. `config.limit` counts after all checks. Errors: bad_config, mismatch, bad_data, and those of `read_idx`.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_idx_dataset(const dataset_config& config,
                                                                  const std::vector<std::string>& classes);

} // namespace troupe
