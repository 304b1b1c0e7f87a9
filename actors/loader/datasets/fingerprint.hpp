/// What fingerprints of data sets are made of: checksums that are the same on every machine of our byte order.
#pragma once

#include "actors/loader/datasets/path_list.hpp"
#include "actors/support/crc32c.hpp"

#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace troupe {

/// Checksum over all that was added, in this order.
class fingerprint_builder {
public:
  template <class Number>
  fingerprint_builder& add(const std::vector<Number>& numbers) noexcept {
    static_assert(std::is_arithmetic_v<Number> || std::is_same_v<Number, std::byte>);
    return add_bytes(std::as_bytes(std::span(numbers)));
  }

  fingerprint_builder& add(const path_list& paths) noexcept {
    return add(paths.ends()).add_bytes(std::as_bytes(std::span(paths.bytes())));
  }

  fingerprint_builder& add(const std::vector<std::string>& texts) {
    path_list list;
    for (const auto& text : texts)
      list.push_back(text);
    return add(list);
  }

  /// Returns "KIND:N:classes=C:crc=01234567".
  [[nodiscard]] std::string finish(const std::string& kind, std::uint64_t num_samples, std::uint32_t num_classes) const;

private:
  fingerprint_builder& add_bytes(std::span<const std::byte> bytes) noexcept {
    checksum_ = crc32c(bytes, checksum_);
    return *this;
  }

  std::uint32_t checksum_ = 0;
};

} // namespace troupe
