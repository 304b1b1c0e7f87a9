#include "actors/trainer/optimizer_kind.hpp"

#include <torch/torch.h>

#include <sstream>
#include <type_traits>

namespace troupe {

namespace {

using torch::optim::AdamWParamState;
using torch::optim::OptimizerParamState;
using torch::optim::SGDParamState;

std::unique_ptr<torch::optim::Optimizer> build_sgd(const optimizer_config& config, std::vector<at::Tensor> parameters) {
  return std::make_unique<torch::optim::SGD>(std::move(parameters), torch::optim::SGDOptions(config.lr)
                                                                      .momentum(config.momentum)
                                                                      .nesterov(config.nesterov)
                                                                      .weight_decay(config.weight_decay));
}

std::unique_ptr<torch::optim::Optimizer> build_adamw(const optimizer_config& config,
                                                     std::vector<at::Tensor> parameters) {
  return std::make_unique<torch::optim::AdamW>(std::move(parameters), torch::optim::AdamWOptions(config.lr)
                                                                        .betas({config.beta1, config.beta2})
                                                                        .eps(config.eps)
                                                                        .weight_decay(config.weight_decay));
}

template <class State>
std::unique_ptr<OptimizerParamState> new_state() {
  return std::make_unique<State>();
}

const std::vector<optimizer_kind>& kinds() {
  static const std::vector<optimizer_kind> all{
    {"sgd",
     build_sgd,
     new_state<SGDParamState>,
     {{"momentum_buffer",
       [](const OptimizerParamState& x) { return static_cast<const SGDParamState&>(x).momentum_buffer(); },
       [](OptimizerParamState& x, at::Tensor value) {
         static_cast<SGDParamState&>(x).momentum_buffer(std::move(value));
       }}},
     nullptr,
     nullptr},
    {"adamw",
     build_adamw,
     new_state<AdamWParamState>,
     {{"exp_avg", [](const OptimizerParamState& x) { return static_cast<const AdamWParamState&>(x).exp_avg(); },
       [](OptimizerParamState& x, at::Tensor value) { static_cast<AdamWParamState&>(x).exp_avg(std::move(value)); }},
      {"exp_avg_sq", [](const OptimizerParamState& x) { return static_cast<const AdamWParamState&>(x).exp_avg_sq(); },
       [](OptimizerParamState& x, at::Tensor value) {
         static_cast<AdamWParamState&>(x).exp_avg_sq(std::move(value));
       }}},
     [](const OptimizerParamState& x) { return std::int64_t{static_cast<const AdamWParamState&>(x).step()}; },
     [](OptimizerParamState& x, std::int64_t steps) { static_cast<AdamWParamState&>(x).step(steps); }},
  };
  return all;
}

using state_map = std::decay_t<decltype(std::declval<torch::optim::Optimizer&>().state())>;

/// LibTorch 1 finds the state by the printed address of the parameter, LibTorch 2 by the address itself.
template <class Key>
Key key_of(const at::Tensor& parameter) {
  if constexpr (std::is_same_v<Key, std::string>) {
    std::ostringstream text;
    text << parameter.unsafeGetTensorImpl();
    return std::move(text).str();
  } else {
    return parameter.unsafeGetTensorImpl();
  }
}

} // namespace

const optimizer_kind* find_optimizer_kind(const std::string& name) {
  for (const auto& kind : kinds())
    if (name == kind.name)
      return &kind;
  return nullptr;
}

std::string optimizer_names() {
  std::string names;
  for (const auto& kind : kinds())
    names += std::string{names.empty() ? "" : ", "} + kind.name;
  return names;
}

OptimizerParamState* find_state(torch::optim::Optimizer& optimizer, const at::Tensor& parameter) {
  auto& all = optimizer.state();
  const auto found = all.find(key_of<state_map::key_type>(parameter));
  return found == all.end() ? nullptr : found->second.get();
}

void put_state(torch::optim::Optimizer& optimizer, const at::Tensor& parameter,
               std::unique_ptr<OptimizerParamState> state) {
  optimizer.state()[key_of<state_map::key_type>(parameter)] = std::move(state);
}

} // namespace troupe
