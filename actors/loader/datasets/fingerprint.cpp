#include "actors/loader/datasets/fingerprint.hpp"

#include <array>
#include <cinttypes>
#include <cstdio>

namespace troupe {

std::string fingerprint_builder::finish(const std::string& kind, std::uint64_t num_samples,
                                        std::uint32_t num_classes) const {
  std::array<char, 96> text{};
  std::snprintf(text.data(), text.size(), ":%" PRIu64 ":classes=%" PRIu32 ":crc=%08" PRIx32, num_samples, num_classes,
                checksum_);
  return kind + text.data();
}

} // namespace troupe
