/// Where samples come from: one entry of the config's `data` section.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Which samples of a source are meant, where one source serves training and validation.
enum class data_part : std::uint8_t {
  whole,
  kept,     ///< All but the held-out share: for training.
  held_out, ///< The held-out share: for validation.
};

/// Settings of one data set. Which fields count depends on `dataset`.
struct dataset_config {
  std::string dataset = "idx"; ///< idx | synthetic | image_folder | manifest | cifar10 | cifar100 | tar | a plugin's
  std::uint64_t limit = 0;     ///< Use the first `limit` samples only; 0: all.

  // All but synthetic
  std::string root; ///< Folder of the data; what other fields name is relative to it. Empty: the working folder.

  // idx
  std::string images; ///< IDX3 file of unsigned bytes, plain or gzip.
  std::string labels; ///< IDX1 file of unsigned bytes, plain or gzip.

  // manifest
  std::string file;  ///< CSV or TSV file with the columns path, label and perhaps split and weight.
  std::string split; ///< Rows whose column `split` says this; empty: all rows.

  // cifar10, cifar100, tar
  std::vector<std::string> files; ///< Batch files or shards, in this order; empty (cifar): the usual training files.

  // synthetic
  std::uint64_t size = 4096;                     ///< Number of samples, 1..2^32-1.
  std::vector<std::int64_t> shape = {1, 28, 28}; ///< Channels, height, width.
  std::int64_t num_classes = 10;                 ///< 2..1000
  std::uint64_t seed = 1;                        ///< Another seed gives other samples of the same classes.

  // of a plugin
  parameters options; ///< What the data set `dataset` takes.

  // Set by the program, not by the user.
  data_part part = data_part::whole;
  double held_out_share = 0; ///< Of every class, 0..1.
  std::uint64_t held_out_seed = 1;
};

} // namespace troupe
