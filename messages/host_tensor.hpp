/// Bulk numbers in host memory: what crosses between actors instead of a torch::Tensor or a cv::Mat.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// Element types, with the names that safetensors gives them.
enum class dtype : std::uint8_t { boolean, u8, i32, i64, f16, bf16, f32, f64 };

/// Bytes per element.
[[nodiscard]] constexpr std::size_t size_of(dtype type) noexcept {
  switch (type) {
  case dtype::boolean:
  case dtype::u8:
    return 1;
  case dtype::f16:
  case dtype::bf16:
    return 2;
  case dtype::i32:
  case dtype::f32:
    return 4;
  case dtype::i64:
  case dtype::f64:
    return 8;
  }
  return 0;
}

/// A dense, row-major, little-endian tensor. The bytes are shared and must not change once anybody else holds them.
struct host_tensor {
  std::vector<std::int64_t> shape; ///< Empty for a scalar.
  dtype type = dtype::f32;
  std::shared_ptr<const std::byte> bytes;

  [[nodiscard]] std::size_t num_elements() const noexcept {
    std::size_t n = 1;
    for (auto extent : shape)
      n *= static_cast<std::size_t>(extent);
    return n;
  }
  [[nodiscard]] std::size_t num_bytes() const noexcept { return num_elements() * size_of(type); }
};

/// A tensor with its name in a state dict ("layer1.0.conv1.weight").
struct named_tensor {
  std::string name;
  host_tensor value;
};

} // namespace troupe
