#include "actors/support/crc32c.hpp"

#include <boost/crc.hpp>

#include <cstring>

#if defined(__x86_64__)
#include <nmmintrin.h>
#endif

namespace troupe {

namespace {

constexpr std::uint32_t all_ones = 0xFFFFFFFF;

std::uint32_t reversed_bits(std::uint32_t x) noexcept {
  std::uint32_t result = 0;
  for (int i = 0; i < 32; ++i, x >>= 1)
    result = (result << 1) | (x & 1);
  return result;
}

#if defined(__x86_64__)
__attribute__((target("sse4.2"))) std::uint32_t crc32c_sse42(std::span<const std::byte> bytes,
                                                             std::uint32_t before) noexcept {
  std::uint64_t state = before ^ all_ones;
  auto position = bytes.data();
  auto left = bytes.size();
  for (; left >= sizeof(std::uint64_t); left -= sizeof(std::uint64_t), position += sizeof(std::uint64_t)) {
    std::uint64_t word;
    std::memcpy(&word, position, sizeof word);
    state = _mm_crc32_u64(state, word);
  }
  auto tail = static_cast<std::uint32_t>(state);
  for (; left > 0; --left, ++position)
    tail = _mm_crc32_u8(tail, static_cast<unsigned char>(*position));
  return tail ^ all_ones;
}
#endif

} // namespace

std::uint32_t crc32c_portable(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
  // Boost takes the register to start from as the polynomial reads it: not reflected, without the final xor.
  boost::crc_optimal<32, 0x1EDC6F41, all_ones, all_ones, true, true> crc(reversed_bits(before ^ all_ones));
  crc.process_bytes(bytes.data(), bytes.size());
  return crc.checksum();
}

std::uint32_t crc32c(std::span<const std::byte> bytes, std::uint32_t before) noexcept {
#if defined(__x86_64__)
  static const bool has_instruction = __builtin_cpu_supports("sse4.2") != 0;
  if (has_instruction)
    return crc32c_sse42(bytes, before);
#endif
  return crc32c_portable(bytes, before);
}

} // namespace troupe
