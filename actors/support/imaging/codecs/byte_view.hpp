/// Numbers in the bytes of a file, read without stepping past its end.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <string_view>

namespace troupe {

enum class byte_order : std::uint8_t { little, big };

/// A file's bytes. What lies past the end reads as zero: ask `has` first where that makes a difference.
class byte_view {
public:
  explicit byte_view(std::span<const std::byte> bytes, byte_order order = byte_order::big) noexcept
    : bytes_(bytes), order_(order) {}

  [[nodiscard]] std::size_t size() const noexcept { return bytes_.size(); }

  [[nodiscard]] bool has(std::size_t at, std::size_t count) const noexcept {
    return at <= bytes_.size() && count <= bytes_.size() - at;
  }

  [[nodiscard]] std::uint32_t u8(std::size_t at) const noexcept {
    return at < bytes_.size() ? std::to_integer<std::uint32_t>(bytes_[at]) : 0;
  }
  [[nodiscard]] std::uint32_t u16(std::size_t at) const noexcept {
    return order_ == byte_order::big ? u8(at) << 8 | u8(at + 1) : u8(at + 1) << 8 | u8(at);
  }
  [[nodiscard]] std::uint32_t u24(std::size_t at) const noexcept {
    return order_ == byte_order::big ? u16(at) << 8 | u8(at + 2) : u8(at + 2) << 16 | u16(at);
  }
  [[nodiscard]] std::uint32_t u32(std::size_t at) const noexcept {
    return order_ == byte_order::big ? u16(at) << 16 | u16(at + 2) : u16(at + 2) << 16 | u16(at);
  }

  /// True if `text` stands at `at`.
  [[nodiscard]] bool matches(std::size_t at, std::string_view text) const noexcept {
    if (!has(at, text.size()))
      return false;
    for (std::size_t i = 0; i < text.size(); ++i)
      if (u8(at + i) != static_cast<unsigned char>(text[i]))
        return false;
    return true;
  }

  /// The bytes from `at` on, at most `count`.
  [[nodiscard]] std::span<const std::byte> part(std::size_t at, std::size_t count) const noexcept {
    if (at >= bytes_.size())
      return {};
    return bytes_.subspan(at, count < bytes_.size() - at ? count : bytes_.size() - at);
  }

private:
  std::span<const std::byte> bytes_;
  byte_order order_;
};

} // namespace troupe
