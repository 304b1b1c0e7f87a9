/// Image files that have been decoded and resized once, kept as pixels.
#pragma once

#include "actors/loader/cache_config.hpp"
#include "actors/support/expected.hpp"
#include "messages/sample.hpp"

#include <cstdint>
#include <functional>
#include <memory>
#include <string>

namespace troupe {

/// Pixels by sample id, up to `config.max_bytes`; when that is full nothing more is taken in, and nothing is thrown out.
/// Owned by one thread.
class pixel_cache {
public:
  /// Fills format, shape, bytes and owner of a sample, on any thread; may block on a disk. False if the pixels turn out to
  /// be damaged: the sample has to be made anew.
  using fetcher = std::function<bool(encoded_sample&)>;

  pixel_cache() = default;
  pixel_cache(const pixel_cache&) = delete;
  pixel_cache& operator=(const pixel_cache&) = delete;
  virtual ~pixel_cache() = default;

  /// Opens the cache that `config.mode` names; null for `none`. `identity` tells caches on disk apart: the data set's
  /// fingerprint and whatever else shapes the pixels. One on disk that is damaged starts with what is not; one that
  /// another process has open takes nothing in. Errors: io_error where the folder cannot be written to.
  static expected<std::shared_ptr<pixel_cache>> open(const cache_config& config, const std::string& identity);

  /// Returns how to get the pixels; an empty function if they are not here.
  [[nodiscard]] virtual fetcher find(std::uint64_t id) const = 0;

  /// Keeps the pixels, if they are not here and there is room.
  virtual void put(const decoded_sample& sample) = 0;

  /// False once it is full, or its disk has refused.
  [[nodiscard]] virtual bool takes_more() const noexcept = 0;

  [[nodiscard]] virtual std::uint64_t num_samples() const noexcept = 0;
  [[nodiscard]] virtual std::uint64_t num_bytes() const noexcept = 0; ///< Of pixels.
};

} // namespace troupe
