/// How image files become pixels.
#pragma once

#include "actors/support/components/parameters.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

struct decode_config {
  std::int64_t channels = 3;     ///< 3: RGB; 1: grey, Y = 0.299 R + 0.587 G + 0.114 B.
  std::int64_t bits = 8;         ///< 8, or 16 to keep the depth of 16-bit files (8-bit values v become 257 v).
  bool apply_orientation = true; ///< Turn photos as their EXIF orientation says.
  bool scaled_jpeg = true;       ///< Let libjpeg shrink by 1/2, 1/4 or 1/8 while it decodes, where a resize would.
  std::uint64_t max_pixels = 100'000'000;     ///< An image that claims more is a bad sample.
  std::uint64_t max_pixels_per_byte = 20'000; ///< One that claims more for its file's size is one, too.
  std::vector<component_use> formats = {}; ///< Parameters of plugins' decoders; one that is not named has its defaults.
  friend bool operator==(const decode_config&, const decode_config&) = default;
};

} // namespace troupe
