#include "actors/trainer/optimizer.hpp"

#include "actors/support/network/tensor_bridge.hpp"
#include "actors/trainer/optimizer_kind.hpp"

#include <torch/torch.h>

namespace troupe {

namespace {

const std::string counter_prefix = "step.";

failure out_of_range(const char* what, double value, const char* limit) {
  return {ec::bad_config, std::string{"optimizer: "} + what + " is " + std::to_string(value) + ", expected " + limit};
}

expected<void> check_values(const optimizer_config& config) {
  if (!(config.lr > 0))
    return out_of_range("lr", config.lr, "more than 0");
  if (!(config.momentum >= 0 && config.momentum < 1))
    return out_of_range("momentum", config.momentum, "0 <= momentum < 1");
  if (config.name == "sgd" && config.nesterov && config.momentum == 0)
    return out_of_range("momentum", config.momentum, "more than 0, because nesterov is on");
  if (!(config.weight_decay >= 0))
    return out_of_range("weight_decay", config.weight_decay, "at least 0");
  if (!(config.beta1 >= 0 && config.beta1 < 1))
    return out_of_range("beta1", config.beta1, "0 <= beta1 < 1");
  if (!(config.beta2 >= 0 && config.beta2 < 1))
    return out_of_range("beta2", config.beta2, "0 <= beta2 < 1");
  if (!(config.eps >= 0))
    return out_of_range("eps", config.eps, "at least 0");
  return {};
}

std::vector<at::Tensor> values(const std::vector<state_entry>& entries) {
  std::vector<at::Tensor> result;
  for (const auto& entry : entries)
    result.push_back(entry.value);
  return result;
}

/// Every parameter has a count and nothing else has one.
expected<void> check_counters(const std::vector<state_entry>& parameters,
                              const std::map<std::string, std::int64_t>& counters, bool counts) {
  if (!counts && counters.empty())
    return {};
  for (const auto& parameter : parameters)
    if (counts && !counters.contains(counter_prefix + parameter.name))
      return failure{ec::mismatch, "optimizer state: " + counter_prefix + parameter.name + " is missing"};
  if (!counts || counters.size() != parameters.size())
    return failure{ec::mismatch, "optimizer state: there are " + std::to_string(counters.size())
                                   + " counters, expected " + std::to_string(counts ? parameters.size() : 0)};
  return {};
}

} // namespace

optimizer::optimizer(const optimizer_kind& kind, std::unique_ptr<torch::optim::Optimizer> impl,
                     std::vector<state_entry> parameters)
  : kind_(&kind), impl_(std::move(impl)), parameters_(std::move(parameters)) {}

expected<optimizer> optimizer::make(const optimizer_config& config, std::vector<state_entry> parameters) {
  const auto* kind = find_optimizer_kind(config.name);
  if (!kind)
    return failure{ec::bad_config,
                   "optimizer: unknown name '" + config.name + "', expected one of " + optimizer_names()};
  if (auto ok = check_values(config); !ok)
    return ok.error();
  auto impl = kind->build(config, values(parameters));
  return optimizer(*kind, std::move(impl), std::move(parameters));
}

void optimizer::set_learning_rate(double rate) {
  for (auto& group : impl_->param_groups())
    group.options().set_lr(rate);
}

void optimizer::drop_gradients() {
  for (auto& parameter : parameters_)
    parameter.value.mutable_grad().reset();
}

std::vector<state_entry> optimizer::state() const {
  std::vector<state_entry> result;
  for (const auto& slot : kind_->slots)
    for (const auto& parameter : parameters_)
      if (const auto* state = find_state(*impl_, parameter.value))
        if (auto value = slot.get(*state); value.defined())
          result.push_back({std::string{slot.name} + "." + parameter.name, std::move(value)});
  return result;
}

std::map<std::string, std::int64_t> optimizer::counters() const {
  std::map<std::string, std::int64_t> result;
  if (kind_->steps)
    for (const auto& parameter : parameters_)
      if (const auto* state = find_state(*impl_, parameter.value))
        result.emplace(counter_prefix + parameter.name, kind_->steps(*state));
  return result;
}

expected<void> optimizer::load(std::span<const named_tensor> state,
                               const std::map<std::string, std::int64_t>& counters) {
  if (state.empty() && counters.empty()) {
    impl_->state().clear();
    return {};
  }
  std::vector<std::unique_ptr<torch::optim::OptimizerParamState>> fresh;
  std::vector<state_entry> entries;
  torch::NoGradGuard no_grad;
  for (const auto& parameter : parameters_) {
    fresh.push_back(kind_->new_state());
    for (const auto& slot : kind_->slots) {
      slot.set(*fresh.back(), at::empty_like(parameter.value));
      entries.push_back({std::string{slot.name} + "." + parameter.name, slot.get(*fresh.back())});
    }
  }
  if (auto ok = check_entries("optimizer state", entries, state); !ok)
    return ok;
  if (auto ok = check_counters(parameters_, counters, kind_->steps != nullptr); !ok)
    return ok;
  copy_entries(entries, state);
  for (std::size_t i = 0; i < parameters_.size(); ++i) {
    if (kind_->set_steps)
      kind_->set_steps(*fresh[i], counters.at(counter_prefix + parameters_[i].name));
    put_state(*impl_, parameters_[i].value, std::move(fresh[i]));
  }
  return {};
}

} // namespace troupe
