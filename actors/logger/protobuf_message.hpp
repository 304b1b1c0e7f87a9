/// Writes one protobuf message by hand: the three wire types that event files need.
/// Format: https://protobuf.dev/programming-guides/encoding/
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace troupe {

/// Bytes of a message, field after field, in the order of the calls. Zeros are written, not left out.
class protobuf_message {
public:
  /// Wire type 0: int32, int64, uint64, bool, enum. Not for sint (zigzag).
  protobuf_message& varint(std::uint32_t field, std::uint64_t value);
  /// Wire type 1.
  protobuf_message& float64(std::uint32_t field, double value);
  /// Wire type 5.
  protobuf_message& float32(std::uint32_t field, float value);
  /// Wire type 2: string, bytes.
  protobuf_message& text(std::uint32_t field, std::string_view value);
  /// Wire type 2: a message within this one.
  protobuf_message& message(std::uint32_t field, const protobuf_message& value) { return text(field, value.bytes_); }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
  void put_varint(std::uint64_t value);
  void put_key(std::uint32_t field, std::uint32_t wire_type);

  std::string bytes_;
};

/// Appends the `num_bytes` low bytes of `value`, lowest first.
void append_little_endian(std::string& bytes, std::uint64_t value, unsigned num_bytes);

} // namespace troupe
