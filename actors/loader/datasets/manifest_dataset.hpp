/// Image files listed in a table: CSV or TSV.
#pragma once

#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Returns the data set of `config.file`, whose header row names the columns `path`, `label` and perhaps `split` and
/// `weight`, in any order and among others. Tabs if the file is called .tsv or its header has one, else commas.
///  - path: from the manifest's folder on, or from `config.root` if that is not empty. Missing files are bad samples.
///  - label: a class name; or a class id, if all labels of the file are whole numbers and not names in `classes`.
///  - weight: factor of the sample's loss, above 0. An empty one is 1.
/// Samples are the rows, in order, whose split is `config.split`, if that is not empty; the classes are those of all rows,
/// unless `classes` says. `config.file` itself is relative to `config.root`, or to the working folder.
/// Errors name file, line and value: bad_config, not_found, io_error, bad_data, mismatch.
[[nodiscard]] expected<std::unique_ptr<dataset>> open_manifest_dataset(const dataset_config& config,
                                                                       const std::vector<std::string>& classes);

} // namespace troupe
