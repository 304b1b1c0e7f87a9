/// What must hold between the parameters of a transform, and between them and the samples.
#pragma once

#include "actors/augmenter/transforms/transform_config.hpp"
#include "app/config/validate.hpp"

#include <cstdint>
#include <string>
#include <vector>

namespace troupe {

/// What the rules need to know of the samples, as far as the config alone tells it.
struct known_shape {
  std::size_t channels = 1; ///< IDX images are grey. 0: unknown.
  std::int64_t side = 0;    ///< Shorter one; 0: unknown.
};

/// Adds what is wrong with the transform at `path` ("transforms.train[0]"); `shape` is then that of its output.
void check_transform(const transform_config& x, const std::string& path, known_shape& shape,
                     std::vector<violation>& out);

} // namespace troupe
