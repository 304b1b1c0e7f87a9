/// The first samples of a training run as a picture.
#pragma once

#include "actors/augmenter/transform_pipeline.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "actors/support/imaging/contact_sheet.hpp"
#include "app/config/run_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What a training run with that config is shown first: ids in the order of epoch 0, at most `num_samples`.
[[nodiscard]] expected<std::vector<std::uint32_t>> first_training_ids(const dataset& data, const run_config& config,
                                                                      std::uint64_t num_samples);

/// Returns these samples as epoch 0 has them, with all random transforms, before batches are mixed; `normalize` is undone.
/// Captions are "class id". A sample that is bad has no picture. Of more than three channels the first three are shown,
/// of two the first.
[[nodiscard]] std::vector<sheet_tile> make_training_tiles(const dataset& data, const transform_pipeline& transforms,
                                                          const run_config& config,
                                                          const std::vector<std::string>& class_names,
                                                          const std::vector<std::uint32_t>& ids);

} // namespace troupe
