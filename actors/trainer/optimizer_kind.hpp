/// What the state of LibTorch's optimizers consists of.
#pragma once

#include "actors/trainer/trainer_config.hpp"

#include <ATen/core/Tensor.h>
#include <torch/optim/optimizer.h>

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace troupe {

/// One tensor per parameter that an optimizer keeps.
struct optimizer_slot {
  const char* name; ///< As in Python's `state_dict()`.
  at::Tensor (*get)(const torch::optim::OptimizerParamState&);
  void (*set)(torch::optim::OptimizerParamState&, at::Tensor);
};

/// One of LibTorch's optimizers: how it is made and what it keeps.
struct optimizer_kind {
  const char* name;
  std::unique_ptr<torch::optim::Optimizer> (*build)(const optimizer_config&, std::vector<at::Tensor>);
  std::unique_ptr<torch::optim::OptimizerParamState> (*new_state)();
  std::vector<optimizer_slot> slots;
  std::int64_t (*steps)(const torch::optim::OptimizerParamState&); ///< Null: it does not count.
  void (*set_steps)(torch::optim::OptimizerParamState&, std::int64_t);
};

/// The kind of that name; null if there is none.
[[nodiscard]] const optimizer_kind* find_optimizer_kind(const std::string& name);

/// All names, for error texts: "sgd, adamw".
[[nodiscard]] std::string optimizer_names();

/// A parameter's state, or null before its first step.
[[nodiscard]] torch::optim::OptimizerParamState* find_state(torch::optim::Optimizer& optimizer,
                                                            const at::Tensor& parameter);

/// Gives a parameter that state.
void put_state(torch::optim::Optimizer& optimizer, const at::Tensor& parameter,
               std::unique_ptr<torch::optim::OptimizerParamState> state);

} // namespace troupe
