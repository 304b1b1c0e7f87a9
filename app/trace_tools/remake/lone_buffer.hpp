/// Batch buffers outside a pipeline.
#pragma once

#include "messages/batch_buffer.hpp"

namespace troupe {

/// Returns a buffer of zeros that belongs to no pipeline: dropped, it is gone, and so are its slices.
[[nodiscard]] batch_buffer make_lone_buffer(const batch_layout& layout);

} // namespace troupe
