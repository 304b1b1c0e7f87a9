#include "actors/saver/finite_check.hpp"

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string>

namespace troupe {

namespace {

// IEEE 754, and bfloat16 alike: an exponent of all ones is infinity, or NaN where the fraction is not 0.
template <class Bits>
struct float_form {
  Bits exponent;
  Bits fraction;
};

template <class Bits>
Bits bits_at(const std::byte* bytes, std::size_t index) noexcept {
  Bits result;
  std::memcpy(&result, bytes + index * sizeof(Bits), sizeof result);
  return result;
}

// Text of the first element that is not finite. Whole blocks are judged without a branch, which compilers vectorise.
template <class Bits>
std::optional<std::string> first_nonfinite(const host_tensor& x, float_form<Bits> form) {
  constexpr std::size_t block = 4096;
  auto count = x.num_elements();
  for (std::size_t begin = 0; begin < count; begin += block) {
    auto end = std::min(begin + block, count);
    Bits found = 0;
    for (auto i = begin; i < end; ++i)
      found = static_cast<Bits>(found | ((bits_at<Bits>(x.bytes.get(), i) & form.exponent) == form.exponent));
    if (found == 0)
      continue;
    while ((bits_at<Bits>(x.bytes.get(), begin) & form.exponent) != form.exponent)
      ++begin;
    auto is_nan = (bits_at<Bits>(x.bytes.get(), begin) & form.fraction) != 0;
    return "element " + std::to_string(begin) + " of " + std::to_string(count) + " is " + (is_nan ? "NaN" : "infinite");
  }
  return std::nullopt;
}

std::optional<std::string> first_nonfinite(const host_tensor& x) {
  switch (x.type) {
  case dtype::f16:
    return first_nonfinite<std::uint16_t>(x, {0x7C00, 0x03FF});
  case dtype::bf16:
    return first_nonfinite<std::uint16_t>(x, {0x7F80, 0x007F});
  case dtype::f32:
    return first_nonfinite<std::uint32_t>(x, {0x7F800000, 0x007FFFFF});
  case dtype::f64:
    return first_nonfinite<std::uint64_t>(x, {0x7FF0000000000000, 0x000FFFFFFFFFFFFF});
  case dtype::boolean:
  case dtype::u8:
  case dtype::i32:
  case dtype::i64:
    break;
  }
  return std::nullopt;
}

} // namespace

expected<void> check_finite(std::span<const named_tensor> tensors) {
  for (auto& x : tensors)
    if (x.value.bytes != nullptr)
      if (auto found = first_nonfinite(x.value))
        return failure{ec::nonfinite, "tensor '" + x.name + "': " + *found};
  return {};
}

} // namespace troupe
