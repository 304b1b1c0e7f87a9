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
  raw_u8,     ///< height x width x channels bytes, row-major, channels interleaved.
  image_file, ///< The bytes of an image file; its format and size are told by its content alone.
  cached_u8,  ///< As raw_u8: an image file, decoded and resized by an augmenter earlier in the run.
};

/// One sample as the data set gives it. `bytes` stay valid as long as `owner` lives; they never change.
struct encoded_sample {
  std::uint64_t id = 0;   ///< Index in the data set, 0-based.
  std::int64_t label = 0; ///< Class index, 0-based, below the number of classes.
  sample_format format = sample_format::raw_u8;
  float weight = 1;           ///< Factor of its loss, above 0.
  std::uint32_t channels = 0; ///< 0 for an image file, as are height and width.
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::span<const std::byte> bytes;
  std::shared_ptr<const void> owner;
};

/// The samples of one slice of a batch: slots [first_slot, first_slot + samples.size()).
struct encoded_chunk {
  std::uint64_t batch = 0;    ///< `batch_ref::id`
  std::uint64_t epoch = 0;    ///< Part of the key of every sample's randomness.
  std::uint64_t position = 0; ///< Place of the first sample in the epoch's order; unique within the batch.
  std::uint32_t first_slot = 0;
  bool wants_decoded = false; ///< The loader would keep image files decoded (`decoded_sample`).
  std::vector<encoded_sample> samples;
  std::vector<bad_sample> unreadable; ///< Slots whose entry in `samples` is empty, because it could not be read.
};

/// A sample whose image file an augmenter has decoded and resized, for the loader to keep.
struct decoded_sample {
  std::uint64_t id = 0;
  std::uint32_t channels = 0;
  std::uint32_t height = 0;
  std::uint32_t width = 0;
  std::vector<std::byte> bytes; ///< As `sample_format::cached_u8`.
};

using chunk_ptr = std::shared_ptr<const encoded_chunk>;

} // namespace troupe
