/// CIFAR-10 and CIFAR-100 in their binary form (Krizhevsky, "Learning Multiple Layers of Features from Tiny Images").
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set of the batch files `config.files` in `config.root`, held in memory: colour images of 32 x 32.
/// No files: those for training, data_batch_1.bin to data_batch_5.bin, or train.bin. Plain or gzip.
/// The labels are ids (cifar100: the fine ones), whose names stand in batches.meta.txt or fine_label_names.txt, if that
/// lies beside the first file. With `classes`, the table of classes by id, labels go by name if those names are in it; if
/// none of them is, their ids count. Errors: bad_config, not_found, io_error, bad_data, mismatch.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_cifar_dataset(const dataset_config& config,
                                                                    const std::vector<std::string>& classes);

} // namespace troupe
