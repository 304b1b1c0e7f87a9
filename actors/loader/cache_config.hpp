/// Whether decoded images are kept from one epoch to the next.
#pragma once

#include <cstdint>
#include <string>

namespace troupe {

enum class cache_mode : std::uint8_t {
  none,   ///< Every epoch decodes every image.
  memory, ///< In the memory of this process.
  disk,   ///< In files, so that the next run finds them too.
};

/// Keeps images small enough to be many: each is resized, as soon as it is decoded, so that its shorter side has `side`
/// pixels. Whatever the transforms do then, they do to that.
struct cache_config {
  cache_mode mode = cache_mode::none;
  std::int64_t side = 256;              ///< Pixels of the shorter side, 8..8192; smaller images stay as they are.
  std::uint64_t max_bytes = 4ull << 30; ///< Images past this bound are decoded every time.
  std::string dir;                      ///< Folder for `disk`; empty: the user's cache folder.
};

} // namespace troupe
