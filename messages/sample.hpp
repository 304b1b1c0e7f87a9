/// Samples on their way from the data set to the batch: still encoded, or raw pixels.
#pragma once

#include "messages/batch_ref.hpp"

#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

namespace troupe {

/// How the bytes of a sample are to be read.
enum class sample_format : std::uint8_t {
  raw_u8, ///< height x width x channels bytes, row-major, channels interleaved.
};

/// One sample as the data set gives it. `bytes` stay valid as long as `owner` lives; they never change.
struct encoded_sample {
  std::uint64_t id = 0;   ///< Index in the data set, 0-based.
  std::int64_t label = 0; ///< Class index, 0-based, below the number of classes.
  sample_format format = sample_format::raw_u8;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// The samples of one slice of a batch: slots [first_slot, first_slot + samples.size()).
struct encoded_chunk {
  std::uint64_t batch = 0; ///< `batch_ref::id`
  std::uint64_t epoch = 0; ///< Part of the key of every sample's randomness.
  std::uint32_t first_slot = 0;
  std::uint32_t attempt = 0; ///< 0 the first time; 1 after an augmenter died with it.
  std::vector<encoded_sample> samples;
  std::vector<bad_sample> unreadable; ///< Slots whose entry in `samples` is empty, because it could not be read.
};

using chunk_ptr = std::shared_ptr<const encoded_chunk>;

} // namespace troupe
