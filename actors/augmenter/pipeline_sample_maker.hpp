/// The run's transforms, lent to actors of plugins.
#pragma once

#include "actors/support/components/sample_maker.hpp"

#include <cstdint>
#include <memory>

namespace troupe {

class transform_pipeline;

/// Makes samples by `transforms` under the seed: `fill`, and `write` after `make`, give the numbers that the augmenter gives.
/// `write` throws std::invalid_argument for a picture of another shape.
[[nodiscard]] std::shared_ptr<const sample_maker>
make_pipeline_sample_maker(std::shared_ptr<const transform_pipeline> transforms, std::uint64_t seed);

} // namespace troupe
