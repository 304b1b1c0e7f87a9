/// The frame around each block of a trace file; see README.md.
#pragma once

#include "actors/support/crc32c.hpp"

#include <cstddef>
#include <cstdint>
#include <span>

namespace troupe {

enum class block_kind : std::uint32_t { header = 1, strings = 2, records = 3, stats = 4, end = 5, moment = 6 };

struct block_frame {
  std::uint32_t magic;
  std::uint32_t kind;
  std::uint32_t payload_bytes;
  std::uint32_t checksum; ///< CRC-32C of kind, payload_bytes and payload.
};
static_assert(sizeof(block_frame) == 16);

inline constexpr std::uint32_t block_magic = 0x4b425254; ///< "TRBK"
inline constexpr std::uint32_t max_payload_bytes = 64u << 20;

[[nodiscard]] inline std::uint32_t checksum_of(const block_frame& frame, std::span<const std::byte> payload) noexcept {
  const std::uint32_t start[] = {frame.kind, frame.payload_bytes};
  return crc32c(payload, crc32c(std::as_bytes(std::span{start})));
}

} // namespace troupe
