/// Facts about checkpoints, told by the saver.
#pragma once

#include "messages/failure.hpp"
#include "messages/snapshot.hpp"

#include <cstdint>
#include <string>

namespace troupe {

/// The checkpoint is durable: every file and folder has been fsynced, the name is final.
struct checkpoint_saved {
  snapshot_tag tag;
  std::string path;
  std::uint64_t num_bytes = 0;
  double seconds = 0;
};

/// The checkpoint could not be made durable. Training goes on; earlier checkpoints are intact.
struct checkpoint_failed {
  snapshot_tag tag;
  failure why;
};

/// The saver's books: asked = durable + superseded + failed once it is idle.
struct checkpoint_counts {
  std::uint64_t asked = 0;
  std::uint64_t durable = 0;
  std::uint64_t superseded = 0; ///< A newer snapshot came before this one was begun.
  std::uint64_t failed = 0;
  bool last_failed = false; ///< The newest one asked for is not on disk.
};

} // namespace troupe
