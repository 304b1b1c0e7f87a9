/// Fields of Protocol Buffers, appended to a string.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace troupe::proto {

inline void put_varint(std::string& to, std::uint64_t value) {
  for (; value >= 128; value >>= 7)
    to += static_cast<char>(value | 128);
  to += static_cast<char>(value);
}

inline void put_number(std::string& to, std::uint32_t field, std::uint64_t value) {
  put_varint(to, std::uint64_t{field} << 3);
  put_varint(to, value);
}

inline void put_fixed64(std::string& to, std::uint32_t field, std::uint64_t value) {
  static_assert(std::endian::native == std::endian::little);
  put_varint(to, std::uint64_t{field} << 3 | 1);
  char bytes[sizeof value];
  std::memcpy(bytes, &value, sizeof value);
  to.append(bytes, sizeof bytes);
}

inline void put_double(std::string& to, std::uint32_t field, double value) {
  put_fixed64(to, field, std::bit_cast<std::uint64_t>(value));
}

/// Text, or a message that was encoded elsewhere.
inline void put_bytes(std::string& to, std::uint32_t field, std::string_view bytes) {
  put_varint(to, std::uint64_t{field} << 3 | 2);
  put_varint(to, bytes.size());
  to += bytes;
}

} // namespace troupe::proto
