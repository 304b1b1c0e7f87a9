#include "app/trace_tools/remake/lone_buffer.hpp"

#include <memory>
#include <utility>

namespace troupe {

batch_buffer make_lone_buffer(const batch_layout& layout) {
  auto home = std::make_shared<buffer_home>([](batch_slice) {}, [](batch_buffer) {});
  home->close();
  const std::shared_ptr<std::byte[]> pixels(new std::byte[layout.capacity * layout.bytes_per_sample()]());
  return {std::move(home), layout, {pixels, pixels.get()}};
}

} // namespace troupe
