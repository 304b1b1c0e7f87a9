#include "actors/support/network/state_dict.hpp"

#include "actors/support/network/tensor_bridge.hpp"

#include <torch/torch.h>

#include <unordered_map>

namespace troupe {

namespace {

void collect(const torch::nn::Module& module, const std::string& prefix, std::vector<state_entry>& result) {
  for (const auto& parameter : module.named_parameters(/*recurse=*/false))
    result.push_back({prefix + parameter.key(), parameter.value()});
  for (const auto& buffer : module.named_buffers(/*recurse=*/false))
    result.push_back({prefix + buffer.key(), buffer.value()});
  for (const auto& child : module.named_children())
    collect(*child.value(), prefix + child.key() + ".", result);
}

/// Collects what is wrong and spells out the first few.
class complaints {
public:
  void add(std::string text) {
    if (count_++ < num_spelled_out)
      text_ += (text_.empty() ? "" : "; ") + text;
  }

  expected<void> result(const std::string& who) const {
    if (count_ == 0)
      return {};
    const auto more = count_ > num_spelled_out ? "; and " + std::to_string(count_ - num_spelled_out) + " more" : "";
    return failure{ec::mismatch, who + ": " + text_ + more};
  }

private:
  static constexpr std::size_t num_spelled_out = 4;
  std::size_t count_ = 0;
  std::string text_;
};

} // namespace

std::vector<state_entry> state_entries(const torch::nn::Module& module) {
  std::vector<state_entry> result;
  collect(module, "", result);
  return result;
}

expected<void> check_entries(const std::string& who, std::span<const state_entry> wanted,
                             std::span<const named_tensor> given) {
  complaints wrong;
  std::unordered_map<std::string, const host_tensor*> by_name;
  for (const auto& tensor : given)
    if (!by_name.emplace(tensor.name, &tensor.value).second)
      wrong.add(tensor.name + " is given twice");
  for (const auto& entry : wanted) {
    const auto found = by_name.find(entry.name);
    if (found == by_name.end()) {
      wrong.add(entry.name + " is missing");
      continue;
    }
    const auto have = describe(*found->second);
    if (const auto want = describe(entry.value); have != want)
      wrong.add(entry.name + " is " + have + ", expected " + want);
    by_name.erase(found);
  }
  for (const auto& tensor : given)
    if (by_name.contains(tensor.name))
      wrong.add(tensor.name + " is unexpected");
  return wrong.result(who);
}

void copy_entries(std::span<const state_entry> into, std::span<const named_tensor> given) {
  torch::NoGradGuard no_grad;
  std::unordered_map<std::string, const host_tensor*> by_name;
  for (const auto& tensor : given)
    by_name.emplace(tensor.name, &tensor.value);
  for (const auto& entry : into) {
    auto target = entry.value;
    target.copy_(as_tensor(*by_name.at(entry.name)));
  }
}

expected<void> load_state_dict(torch::nn::Module& module, std::span<const named_tensor> given) {
  const auto entries = state_entries(module);
  if (auto ok = check_entries("model weights", entries, given); !ok)
    return ok;
  copy_entries(entries, given);
  return {};
}

} // namespace troupe
