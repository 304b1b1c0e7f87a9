/// Codecs of values that a config gives as one number or as a list.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "app/config/codec.hpp"

#include <vector>

namespace troupe {

/// A size: one whole number in [0, high] (0: none), or [height, width] with both in [1, high].
[[nodiscard]] codec<size_config> size(std::int64_t high);

/// One number in `one`, or a list of `min_items` to `max_items` numbers in `several`.
[[nodiscard]] codec<std::vector<double>> number_or_list(const number_range& one, const number_range& several,
                                                        std::size_t min_items, std::size_t max_items);

} // namespace troupe
