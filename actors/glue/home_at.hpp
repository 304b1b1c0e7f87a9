/// Where the batch buffers of a pipeline come home to: its loader.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/loader_protocol.hpp"

#include <memory>

namespace troupe {

/// Makes a home that sends what is dropped, on whatever thread, to `loader`.
[[nodiscard]] std::shared_ptr<buffer_home> home_at(const loader_actor& loader);

} // namespace troupe
