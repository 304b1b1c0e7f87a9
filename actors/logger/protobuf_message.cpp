#include "actors/logger/protobuf_message.hpp"

#include <bit>

namespace troupe {

void append_little_endian(std::string& bytes, std::uint64_t value, unsigned num_bytes) {
  for (unsigned i = 0; i < num_bytes; ++i)
    bytes += static_cast<char>((value >> (8 * i)) & 0xff);
}

protobuf_message& protobuf_message::varint(std::uint32_t field, std::uint64_t value) {
  put_key(field, 0);
  put_varint(value);
  return *this;
}

protobuf_message& protobuf_message::float64(std::uint32_t field, double value) {
  put_key(field, 1);
  append_little_endian(bytes_, std::bit_cast<std::uint64_t>(value), 8);
  return *this;
}

protobuf_message& protobuf_message::float32(std::uint32_t field, float value) {
  put_key(field, 5);
  append_little_endian(bytes_, std::bit_cast<std::uint32_t>(value), 4);
  return *this;
}

protobuf_message& protobuf_message::text(std::uint32_t field, std::string_view value) {
  put_key(field, 2);
  put_varint(value.size());
  bytes_ += value;
  return *this;
}

void protobuf_message::put_varint(std::uint64_t value) {
  while (value >= 0x80) {
    bytes_ += static_cast<char>((value & 0x7f) | 0x80);
    value >>= 7;
  }
  bytes_ += static_cast<char>(value);
}

void protobuf_message::put_key(std::uint32_t field, std::uint32_t wire_type) {
  put_varint((static_cast<std::uint64_t>(field) << 3) | wire_type);
}

} // namespace troupe
