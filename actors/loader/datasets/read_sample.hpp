/// How a sample is read where a bad one is a fact to be told, not an error.
#pragma once

#include "actors/loader/datasets/dataset.hpp"

#include <cstdint>

namespace troupe {

/// Returns what `data.read(id)` does. What that throws (there is no memory for a file, say) is an error of this sample
/// alone; an error's text comes without the words that say who tells it and of which sample. May block on a disk.
[[nodiscard]] expected<encoded_sample> read_sample(const dataset& data, std::uint64_t id);

} // namespace troupe
