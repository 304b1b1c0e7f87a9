/// A folder of photos with a sub-folder for each class.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"
#include "actors/loader/datasets/index_cache.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set of `config.root`: every folder in it is a class, every image in or below that one of its samples.
/// Classes are in order of the bytes of their names, samples in order of class and path; see `file_index.hpp` for what is
/// passed by. `classes`: the table of classes by id, if there is one already; a folder that is not in it is refused.
/// Errors: not_found, io_error, bad_data if there is no image, mismatch for a class that is not in the table.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_image_folder_dataset(const dataset_config& config,
                                                                           const std::vector<std::string>& classes);

/// The same, with its index kept elsewhere.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_image_folder_dataset(const dataset_config& config,
                                                                           const std::vector<std::string>& classes,
                                                                           const index_cache& cache);

} // namespace troupe
