#include "actors/glue/home_at.hpp"

#include <caf/send.hpp>

namespace troupe {

std::shared_ptr<buffer_home> home_at(const loader_actor& loader) {
  return std::make_shared<buffer_home>(
    [loader](batch_slice x) { caf::anon_send(loader, slice_dropped{lease<batch_slice>(std::move(x))}); },
    [loader](batch_buffer x) { caf::anon_send(loader, buffer_returned{lease<batch_buffer>(std::move(x))}); });
}

} // namespace troupe
