/// The JSON header of a safetensors file: which tensor lies where.
/// Format: https://github.com/huggingface/safetensors, README "Format" and the checks of tensor.rs.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/host_tensor.hpp"

#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace troupe {

/// The name that the format gives an element type ("F32").
[[nodiscard]] std::string_view safetensors_name(dtype type) noexcept;

/// Where one tensor lies: bytes [begin, end) counted from the end of the header.
struct safetensors_entry {
  std::string name;
  dtype type = dtype::f32;
  std::vector<std::int64_t> shape;
  std::uint64_t begin = 0;
  std::uint64_t end = 0;
};

struct safetensors_header {
  std::vector<safetensors_entry> entries; ///< In the order of their bytes.
  std::map<std::string, std::string> metadata;

  /// Bytes of all tensors together.
  [[nodiscard]] std::uint64_t num_data_bytes() const noexcept { return entries.empty() ? 0 : entries.back().end; }
};

/// Limits of a header that is read: a file that goes past them is refused before any memory is spent on it.
inline constexpr std::uint64_t max_header_bytes = 100'000'000;
inline constexpr std::size_t max_tensors = 1'000'000;
inline constexpr std::size_t max_rank = 64;

/// Reads the header's JSON. `corrupt`: not UTF-8 JSON of the right form, a name twice, a tensor whose offsets are not
/// its size, a hole or an overlap between tensors. `unsupported`: an element type that `dtype` lacks.
/// The failure's text has no path: the caller knows it.
expected<safetensors_header> parse_safetensors_header(std::string_view json);

/// Lays the tensors out in the format's order, element type descending (so that each is aligned), then name.
/// `mismatch`: a name twice, a reserved name, a negative extent, or a tensor without bytes.
expected<safetensors_header> plan_safetensors(std::span<const named_tensor> tensors,
                                              std::map<std::string, std::string> metadata);

/// The header's JSON, padded with spaces to a multiple of 8 bytes. `mismatch` if a text in it is not UTF-8.
expected<std::string> to_json(const safetensors_header& header);

} // namespace troupe
