/// A module's parameters and buffers by name: out to the host, and back in.
#pragma once

#include "actors/support/expected.hpp"
#include "messages/host_tensor.hpp"

#include <ATen/core/Tensor.h>
#include <torch/nn/module.h>

#include <span>
#include <string>
#include <vector>

namespace troupe {

/// A live tensor with its name.
struct state_entry {
  std::string name;
  at::Tensor value;
};

/// Parameters and buffers in the order of Python's `state_dict()`: each module's parameters, its buffers, then its
/// children. The tensors are the module's own.
[[nodiscard]] std::vector<state_entry> state_entries(const torch::nn::Module& module);

/// Says whether `given` has exactly the names, shapes and types of `wanted`, in any order. mismatch: the text, which
/// begins with `who`, lists the first few that are missing, unexpected, given twice or different.
expected<void> check_entries(const std::string& who, std::span<const state_entry> wanted,
                             std::span<const named_tensor> given);

/// Copies `given` into the tensors of the same name. @pre `check_entries` found nothing wrong.
void copy_entries(std::span<const state_entry> into, std::span<const named_tensor> given);

/// Sets all parameters and buffers, or none: mismatch as in `check_entries`.
expected<void> load_state_dict(torch::nn::Module& module, std::span<const named_tensor> given);

} // namespace troupe
