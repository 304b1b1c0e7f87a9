/// Reads Protocol Buffers without their description: a message is its fields, by number, in order.
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace troupe::test {

struct proto_message;

/// A number (of a fixed one, the bits), or bytes.
struct proto_value {
  std::uint64_t number = 0;
  std::string bytes;

  [[nodiscard]] double real() const { return std::bit_cast<double>(number); }
  [[nodiscard]] proto_message message() const;
};

struct proto_message {
  std::map<std::uint32_t, std::vector<proto_value>> fields;

  [[nodiscard]] bool has(std::uint32_t field) const { return fields.contains(field); }
  [[nodiscard]] const std::vector<proto_value>& all(std::uint32_t field) const {
    static const std::vector<proto_value> none;
    const auto found = fields.find(field);
    return found == fields.end() ? none : found->second;
  }
  /// @throws std::out_of_range if it is not there exactly once.
  [[nodiscard]] const proto_value& one(std::uint32_t field) const {
    if (all(field).size() != 1)
      throw std::out_of_range("field " + std::to_string(field));
    return all(field).front();
  }
};

/// @throws std::runtime_error where the bytes are no message.
inline proto_message decode_proto(std::string_view bytes) {
  proto_message result;
  std::size_t at = 0;
  const auto need = [&](std::size_t count) {
    if (bytes.size() - at < count)
      throw std::runtime_error("message ends in the middle");
  };
  const auto varint = [&] {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      need(1);
      const auto byte = static_cast<unsigned char>(bytes[at++]);
      value |= std::uint64_t{byte & 127U} << shift;
      if (byte < 128)
        return value;
    }
    throw std::runtime_error("endless number");
  };
  while (at < bytes.size()) {
    const auto key = varint();
    proto_value value;
    if ((key & 7) == 0) {
      value.number = varint();
    } else if ((key & 7) == 1) {
      need(8);
      std::memcpy(&value.number, bytes.data() + at, 8);
      at += 8;
    } else if ((key & 7) == 2) {
      const auto size = varint();
      need(size);
      value.bytes = bytes.substr(at, size);
      at += size;
    } else {
      throw std::runtime_error("unknown kind of field");
    }
    result.fields[static_cast<std::uint32_t>(key >> 3)].push_back(std::move(value));
  }
  return result;
}

inline proto_message proto_value::message() const {
  return decode_proto(bytes);
}

} // namespace troupe::test
