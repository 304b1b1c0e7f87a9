/// Decoded images for caches, and what comes back out of them.
#pragma once

#include "actors/loader/pixel_cache.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "tests/support/doctest.hpp"

namespace troupe::test {

/// An image of 3 x `height` x 4 whose pixels differ from those of other ids.
[[nodiscard]] inline decoded_sample decoded(std::uint64_t id, std::uint32_t height = 5) {
  decoded_sample out{id, 3, height, 4, std::vector<std::byte>(std::size_t{12} * height)};
  for (std::size_t i = 0; i < out.bytes.size(); ++i)
    out.bytes[i] = static_cast<std::byte>(id * 31 + i);
  return out;
}

/// Bytes of one such image of the usual height.
constexpr std::uint64_t decoded_bytes = 60;

/// Whether the cache gives back exactly that image.
[[nodiscard]] inline bool gives_back(const pixel_cache& cache, const decoded_sample& wanted) {
  const auto fetch = cache.find(wanted.id);
  encoded_sample got;
  got.id = wanted.id;
  got.label = 7;
  got.weight = 2.5f;
  if (!fetch || !fetch(got))
    return false;
  CHECK(got.id == wanted.id);
  CHECK(got.label == 7);
  CHECK(got.weight == 2.5f);
  CHECK(got.format == sample_format::cached_u8);
  return got.channels == wanted.channels && got.height == wanted.height && got.width == wanted.width
         && std::vector<std::byte>(got.bytes.begin(), got.bytes.end()) == wanted.bytes;
}

[[nodiscard]] inline std::shared_ptr<pixel_cache> open_cache(const cache_config& config,
                                                             const std::string& identity = "data:decoding") {
  auto made = pixel_cache::open(config, identity);
  REQUIRE(made);
  REQUIRE(*made);
  return *made;
}

} // namespace troupe::test
