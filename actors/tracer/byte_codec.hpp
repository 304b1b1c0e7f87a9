/// Little-endian numbers and texts in and out of byte strings.
#pragma once

#include <bit>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

namespace troupe {

static_assert(std::endian::native == std::endian::little, "the trace formats are little-endian memory images");

/// Appends to a byte string.
class byte_writer {
public:
  template <std::integral T>
  void put(T value) {
    bytes_.append(reinterpret_cast<const char*>(&value), sizeof value);
  }
  void put(std::string_view text) { bytes_.append(text); }
  /// Small numbers in few bytes: seven bits each, the lowest first, the top bit says that more follow (LEB128).
  void put_short(std::uint64_t value) {
    for (; value >= 0x80; value >>= 7)
      bytes_.push_back(static_cast<char>(value | 0x80));
    bytes_.push_back(static_cast<char>(value));
  }

  [[nodiscard]] const std::string& bytes() const noexcept { return bytes_; }

private:
  std::string bytes_;
};

/// Takes from a byte string. Reading past its end gives zeros and makes `ok` false for good.
class byte_reader {
public:
  explicit byte_reader(std::span<const std::byte> bytes) noexcept : rest_(bytes) {}

  template <std::integral T>
  [[nodiscard]] T take() noexcept {
    T value{};
    const auto bytes = take_bytes(sizeof value);
    if (!bytes.empty())
      std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }

  /// What `put_short` wrote.
  [[nodiscard]] std::uint64_t take_short() noexcept {
    std::uint64_t value = 0;
    for (int shift = 0; shift < 64; shift += 7) {
      const auto byte = take<std::uint8_t>();
      value |= std::uint64_t{byte & 0x7fU} << shift;
      if ((byte & 0x80) == 0)
        return value;
    }
    ok_ = false;
    return 0;
  }

  [[nodiscard]] std::string take_text(std::size_t num_bytes) {
    const auto bytes = take_bytes(num_bytes);
    return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
  }

  /// Empty if there are not that many.
  [[nodiscard]] std::span<const std::byte> take_bytes(std::size_t num_bytes) noexcept {
    if (num_bytes > rest_.size()) {
      ok_ = false;
      rest_ = {};
      return {};
    }
    const auto bytes = rest_.first(num_bytes);
    rest_ = rest_.subspan(num_bytes);
    return bytes;
  }

  [[nodiscard]] bool ok() const noexcept { return ok_; }
  [[nodiscard]] bool done() const noexcept { return rest_.empty(); }

private:
  std::span<const std::byte> rest_;
  bool ok_ = true;
};

} // namespace troupe
