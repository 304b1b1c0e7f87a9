#include "actors/trainer/snapshot_maker.hpp"

#include "actors/support/network/tensor_bridge.hpp"

#include <torch/torch.h>

#include <cmath>

namespace troupe {

namespace {

constexpr std::size_t alignment = 64;

std::size_t padded_bytes(const at::Tensor& x) {
  return (x.nbytes() + alignment - 1) / alignment * alignment;
}

/// A NaN anywhere makes both extremes NaN, and an infinity is one of them.
bool all_finite(const at::Tensor& x) {
  if (!x.is_floating_point() || x.numel() == 0)
    return true;
  const auto [least, greatest] = at::aminmax(x);
  return std::isfinite(least.item<double>()) && std::isfinite(greatest.item<double>());
}

expected<void> check_copyable(std::span<const state_entry> entries) {
  for (const auto& entry : entries)
    if (!dtype_of(entry.value.scalar_type()))
      return failure{ec::unsupported, "snapshot: " + entry.name + " is " + describe(entry.value)
                                        + ", an element type that snapshots cannot hold"};
  return {};
}

expected<void> check_finite(std::span<const named_tensor> weights, const snapshot_tag& tag) {
  for (const auto& weight : weights)
    if (!all_finite(as_tensor(weight.value)))
      return failure{ec::nonfinite,
                     "snapshot: " + weight.name + " has a NaN or an infinity after step " + std::to_string(tag.step)};
  return {};
}

} // namespace

expected<snapshot_ptr> snapshot_maker::make(snapshot frame, std::span<const state_entry> weights,
                                            std::span<const state_entry> optimizer_state) {
  torch::NoGradGuard no_grad;
  for (auto entries : {weights, optimizer_state})
    if (auto ok = check_copyable(entries); !ok)
      return ok.error();
  frame.weights = copy(weights);
  if (auto ok = check_finite(frame.weights, frame.tag); !ok)
    return ok.error();
  if (frame.has_training_state)
    frame.optimizer_state = copy(optimizer_state);
  return snapshot_ptr{std::make_shared<snapshot>(std::move(frame))};
}

std::vector<named_tensor> snapshot_maker::copy(std::span<const state_entry> entries) {
  std::size_t num_bytes = 0;
  for (const auto& entry : entries)
    num_bytes += padded_bytes(entry.value);
  const auto block = arena_.take(num_bytes);
  std::vector<named_tensor> result;
  result.reserve(entries.size());
  std::size_t offset = 0;
  for (const auto& entry : entries) {
    const std::shared_ptr<std::byte> bytes(block, block.get() + offset);
    host_tensor copied{entry.value.sizes().vec(), *dtype_of(entry.value.scalar_type()), bytes};
    as_tensor(copied).copy_(entry.value);
    result.push_back({entry.name, std::move(copied)});
    offset += padded_bytes(entry.value);
  }
  return result;
}

} // namespace troupe
