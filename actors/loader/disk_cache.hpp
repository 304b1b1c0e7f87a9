/// The pixel cache in files, so that the next run finds it too.
#pragma once

#include "actors/loader/pixel_cache.hpp"

namespace troupe {

/// Two files per identity in the cache's folder, both only appended to: NAME.pixels, the pixels one after another, and
/// NAME.index, a line of fixed size for each image (id, place, shape, CRC-32C of the pixels and of the line itself). What is
/// torn or damaged is made anew: a bad line ends the index, pixels that do not verify are not served.
expected<std::shared_ptr<pixel_cache>> open_disk_cache(const cache_config& config, const std::string& identity);

} // namespace troupe
