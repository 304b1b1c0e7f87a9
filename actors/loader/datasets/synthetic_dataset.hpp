/// A data set that needs no file: every class is a smooth pattern of its own; samples are shifted and noisy.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set of `config.size`, `shape`, `num_classes` and `seed`. Samples are made when they are read, each a pure
/// function of (seed, id), the same on every machine. The patterns of the classes do not depend on the seed: training
/// with one and validation with another is a fair test. Any run of `num_classes` samples from a multiple of it has every
/// class once, in hashed order, so classes are balanced to within one.
/// Errors: bad_config, for whatever is out of range: 1 or 3 channels, 8..256 pixels a side, 2..1000 classes, 1..2^32-1
/// samples; mismatch if there are class names, but not `num_classes` of them.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_synthetic_dataset(const dataset_config& config,
                                                                        const std::vector<std::string>& classes);

} // namespace troupe
