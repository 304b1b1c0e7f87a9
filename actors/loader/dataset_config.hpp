/// Where samples come from: one entry of the config's `data` section.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// Settings of one data set. Which fields count depends on `dataset`.
struct dataset_config {
  std::string dataset = "idx"; ///< idx | synthetic
  std::uint64_t limit = 0;     ///< Use the first `limit` samples only; 0: all.

  // idx
  std::string root;   ///< Folder that `images` and `labels` are relative to; empty: the working folder.
  std::string images; ///< IDX3 file of unsigned bytes, plain or gzip.
  std::string labels; ///< IDX1 file of unsigned bytes, plain or gzip.

  // synthetic
  std::uint64_t size = 4096;                     ///< Number of samples, 1..2^32-1.
  std::vector<std::int64_t> shape = {1, 28, 28}; ///< Channels, height, width.
  std::int64_t num_classes = 10;                 ///< 2..1000
  std::uint64_t seed = 1;                        ///< Another seed gives other samples of the same classes.
};

} // namespace troupe
