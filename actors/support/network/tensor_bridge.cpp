#include "actors/support/network/tensor_bridge.hpp"

#include <torch/torch.h>

#include <array>
#include <cassert>

namespace troupe {

namespace {

struct type_pair {
  dtype ours;
  at::ScalarType theirs;
  const char* name;
};

constexpr std::array<type_pair, 8> types{{
  {dtype::boolean, at::kBool, "bool"},
  {dtype::u8, at::kByte, "u8"},
  {dtype::i32, at::kInt, "i32"},
  {dtype::i64, at::kLong, "i64"},
  {dtype::f16, at::kHalf, "f16"},
  {dtype::bf16, at::kBFloat16, "bf16"},
  {dtype::f32, at::kFloat, "f32"},
  {dtype::f64, at::kDouble, "f64"},
}};

const type_pair& entry_of(dtype type) {
  const auto& entry = types[static_cast<std::size_t>(type)];
  assert(entry.ours == type);
  return entry;
}

std::string describe(const char* type, at::IntArrayRef shape) {
  std::string text = std::string{type} + "[";
  for (std::size_t i = 0; i < shape.size(); ++i)
    text += (i ? ", " : "") + std::to_string(shape[i]);
  return text + "]";
}

} // namespace

at::ScalarType scalar_type_of(dtype type) {
  return entry_of(type).theirs;
}

std::optional<dtype> dtype_of(at::ScalarType type) noexcept {
  for (const auto& entry : types)
    if (entry.theirs == type)
      return entry.ours;
  return std::nullopt;
}

at::Tensor as_tensor(const host_tensor& x) {
  auto* data = const_cast<std::byte*>(x.bytes.get()); // NOLINT: LibTorch has no read-only tensors.
  return at::from_blob(
    data, x.shape, [owner = x.bytes](void*) {}, at::dtype(scalar_type_of(x.type)));
}

host_tensor as_host_tensor(const at::Tensor& x) {
  assert(x.device().is_cpu() && x.is_contiguous() && dtype_of(x.scalar_type()));
  auto owner = std::make_shared<at::Tensor>(x);
  const auto* data = static_cast<const std::byte*>(x.data_ptr());
  return {x.sizes().vec(), *dtype_of(x.scalar_type()), {std::move(owner), data}};
}

std::string describe(const host_tensor& x) {
  return describe(entry_of(x.type).name, x.shape);
}

std::string describe(const at::Tensor& x) {
  const auto type = dtype_of(x.scalar_type());
  return describe(type ? entry_of(*type).name : c10::toString(x.scalar_type()), x.sizes());
}

} // namespace troupe
