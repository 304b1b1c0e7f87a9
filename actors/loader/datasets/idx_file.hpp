/// Reads files in the IDX format, in which MNIST and its kin are published.
#pragma once

#include "actors/support/expected.hpp"

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <vector>

namespace troupe {

/// The two kinds of file that make a data set. The value is the magic number: type 0x08 (unsigned bytes), dimensions.
enum class idx_kind : std::uint32_t {
  labels = 0x0801, ///< [samples]
  images = 0x0803, ///< [samples, height, width]
};

struct idx_file {
  std::vector<std::uint32_t> shape; ///< One or three extents, as `idx_kind` says; none is 0.
  std::vector<std::byte> bytes;     ///< Row-major; as many as the shape says.
};

/// Returns the whole file, checked from the first byte to the last (format: LeCun, "The MNIST database": magic, extents
/// as big-endian 32-bit integers, elements). Plain or gzip. Errors name path, offset, value and what was expected:
/// not_found, io_error, bad_data, and corrupt for damaged gzip.
[[nodiscard]] expected<idx_file> read_idx(const std::filesystem::path& path, idx_kind kind);

} // namespace troupe
