/// A data set whose samples are image files, one each, wherever the list of them comes from.
#pragma once

#include "actors/loader/datasets/class_table.hpp"
#include "actors/loader/datasets/dataset.hpp"
#include "actors/loader/datasets/path_list.hpp"

#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// The samples, by id.
struct file_list {
  std::string root; ///< Absolute folder that the paths are relative to, unless they are absolute.
  path_list files;
  std::vector<std::uint32_t> labels; ///< Class ids below `classes.num_classes`.
  std::vector<std::uint64_t> sizes;  ///< Bytes of each file; 0 where there is none.
  std::vector<float> weights;        ///< Of the samples' losses; empty: all 1.
  class_table classes;
  std::vector<std::string> notices;
  std::string fingerprint;
};

/// Returns the data set of these files. They are opened when they are read: one that is missing is a bad sample.
[[nodiscard]] std::unique_ptr<dataset> make_file_list_dataset(file_list list);

} // namespace troupe
