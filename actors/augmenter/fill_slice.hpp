/// Fills one slice of a batch with the samples of a chunk. Logic only.
#pragma once

#include "actors/augmenter/sample_observer.hpp"
#include "actors/augmenter/transform_pipeline.hpp"
#include "messages/batch_buffer.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

struct slice_outcome {
  std::vector<bad_sample> bad;         ///< Samples that could not be made, in slot order, without names.
  std::vector<decoded_sample> decoded; ///< What the chunk wants back.
};

/// Writes every sample of `chunk` into its slot of `slice`, transformed. The result depends on the chunk and the seed
/// alone. `observer` is told of every sample that could be read, bad ones as well; nullptr: nobody looks on.
[[nodiscard]] slice_outcome fill_slice(const transform_pipeline& transforms, std::uint64_t seed,
                                       const encoded_chunk& chunk, const batch_slice& slice, sample_observer* observer);

} // namespace troupe
