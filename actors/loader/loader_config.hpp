/// What one loader serves and how.
#pragma once

#include "actors/loader/cache_config.hpp"
#include "actors/loader/datasets/dataset_config.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

struct loader_config {
  dataset_config data;
  std::vector<std::string> classes;             ///< Class names by id; empty: the data set's own, or "0", "1", ...
  cache_config cache;                           ///< What is kept of image files once they are decoded.
  std::string decoding;                         ///< Tells caches apart: whatever shapes the decoded pixels.
  std::uint64_t seed = 1;                       ///< Of the permutations.
  bool shuffle = true;                          ///< False: every epoch in the data set's order (validation).
  bool drop_last = false;                       ///< Leave out the epoch's last batch if it is not full.
  std::uint32_t batch_size = 128;               ///< Slots of one batch, 1..65536.
  std::uint32_t chunk_size = 32;                ///< Samples that an augmenter takes at a time, 1..batch_size.
  std::uint32_t read_ahead = 4;                 ///< Batches that readers read before there is a free buffer for them.
  bool use_readers = false;                     ///< False: the loader reads chunks itself, when they are asked for.
  std::uint64_t max_encoded_bytes = 256u << 20; ///< Bound on the encoded bytes in memory.
};

} // namespace troupe
