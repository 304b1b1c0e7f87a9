/// host_tensor and at::Tensor as two views of the same memory.
#pragma once

#include "messages/host_tensor.hpp"

#include <ATen/core/Tensor.h>

#include <optional>
#include <string>

namespace troupe {

/// LibTorch's name of an element type.
[[nodiscard]] at::ScalarType scalar_type_of(dtype type);

/// Our name of LibTorch's element type; nothing for a type that host_tensor does not have.
[[nodiscard]] std::optional<dtype> dtype_of(at::ScalarType type) noexcept;

/// A tensor over the same bytes, without a copy; it keeps them alive. Read it only: the bytes may be shared.
[[nodiscard]] at::Tensor as_tensor(const host_tensor& x);

/// A host_tensor over the same bytes, without a copy; it keeps the tensor alive.
/// @pre `x` lies on the CPU, dense and row-major, with an element type that `dtype_of` knows.
[[nodiscard]] host_tensor as_host_tensor(const at::Tensor& x);

/// "f32[64, 1, 3, 3]", for error texts.
[[nodiscard]] std::string describe(const host_tensor& x);
[[nodiscard]] std::string describe(const at::Tensor& x);

} // namespace troupe
