/// Snapshots and tensors to save.
#pragma once

#include "messages/snapshot.hpp"

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

template <class T>
[[nodiscard]] named_tensor tensor_of(std::string name, dtype type, std::vector<std::int64_t> shape,
                                     const std::vector<T>& values) {
  auto num_bytes = values.size() * sizeof(T);
  std::shared_ptr<std::byte> bytes{new std::byte[num_bytes], std::default_delete<std::byte[]>{}};
  if (num_bytes > 0)
    std::memcpy(bytes.get(), values.data(), num_bytes);
  return {std::move(name), {std::move(shape), type, std::move(bytes)}};
}

[[nodiscard]] inline named_tensor floats(std::string name, const std::vector<float>& values) {
  return tensor_of(std::move(name), dtype::f32, {static_cast<std::int64_t>(values.size())}, values);
}

[[nodiscard]] inline bool same_tensor(const named_tensor& a, const named_tensor& b) {
  return a.name == b.name && a.value.type == b.value.type && a.value.shape == b.value.shape
         && (a.value.num_bytes() == 0
             || std::memcmp(a.value.bytes.get(), b.value.bytes.get(), a.value.num_bytes()) == 0);
}

[[nodiscard]] inline bool same_tensors(const std::vector<named_tensor>& a, const std::vector<named_tensor>& b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (!same_tensor(a[i], b[i]))
      return false;
  return true;
}

/// A small model after `step` steps, every weight of which is the step number.
[[nodiscard]] inline snapshot snapshot_at(std::uint64_t step, std::uint64_t version, bool has_training_state = true) {
  auto x = static_cast<float>(step);
  snapshot result;
  result.tag = {"test run", step / 100, step, version};
  result.weights = {
    floats("fc.weight", {x, x, x}), floats("fc.bias", {x}),
    tensor_of<std::int64_t>("bn.num_batches_tracked", dtype::i64, {}, {static_cast<std::int64_t>(step)})};
  result.has_training_state = has_training_state;
  if (has_training_state) {
    result.optimizer_state = {floats("momentum_buffer.fc.weight", {x, x, x}), floats("momentum_buffer.fc.bias", {x})};
    result.optimizer_counters = {{"step.fc.weight", static_cast<std::int64_t>(step)}, {"step.fc.bias", -1}};
  }
  result.next = {step / 100, step % 100};
  result.batches_trained = step;
  result.samples_trained = step * 8;
  result.samples_skipped = 1;
  result.sums = {{"window_loss_sum", 0.1}, {"window_samples", 8}};
  return result;
}

/// The same with what a sampler and three listeners remember, one of them nothing.
[[nodiscard]] inline snapshot with_attachments(snapshot x) {
  const auto bytes = [](std::string name, const std::string& text) {
    return tensor_of(std::move(name), dtype::u8, {static_cast<std::int64_t>(text.size())},
                     std::vector<char>(text.begin(), text.end()));
  };
  x.attachments = {bytes("listener.z", "last name, first in order"), floats("sampling.3.7", {1, 0.5f, 2}),
                   bytes("listener.a \"b\".\u00fc/../\n", std::string{"\0\xff", 2}), bytes("listener.silent", "")};
  return x;
}

} // namespace troupe
