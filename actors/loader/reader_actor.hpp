/// The reader's actor: one thread that waits for the disk in the loader's place.
#pragma once

#include "actors/glue/traced.hpp"
#include "messages/loader_protocol.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// What one reader needs to know.
struct reader_setup {
  std::string name = "reader"; ///< In the trace and in errors.
  loader_actor loader;
};

struct reader_state {
  static inline const char* name = "reader";
  reader_setup setup;
  std::uint64_t chunks_done = 0;
};

/// Runs detached: it reads files. Asks the loader for its first chunk at once.
reader_actor::behavior_type reader(traced_pointer<reader_actor, reader_state> self, reader_setup setup);

} // namespace troupe
