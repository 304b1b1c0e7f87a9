/// Tensors in a file that every safetensors reader opens.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/file_io.hpp"
#include "messages/host_tensor.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace troupe {

/// Writes the tensors and the metadata to `file`, straight from the tensors' own memory. The file is neither synced nor
/// closed; it knows its size and checksum then. Failures: those of `plan_safetensors`, `to_json` and of the file.
expected<void> write_safetensors(output_file& file, std::span<const named_tensor> tensors,
                                 const std::map<std::string, std::string>& metadata);

/// What a file held.
struct safetensors_file {
  std::vector<named_tensor> tensors; ///< In the order of their bytes; each owns its memory, aligned to 64 bytes.
  std::map<std::string, std::string> metadata;
  std::uint64_t num_bytes = 0;
  std::uint32_t checksum = 0; ///< CRC-32C of the whole file.
};

/// Reads a whole file. All sizes and offsets are checked before memory is taken, so it takes no more than the file's
/// size. Failures: `not_found`, `io_error`, `corrupt` and `unsupported`, with the path.
expected<safetensors_file> read_safetensors(const std::string& path);

} // namespace troupe
