/// LibTorch's optimizers behind one face, with a state that can be stored by parameter name.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/state_dict.hpp"
#include "actors/trainer/trainer_config.hpp"
#include "messages/host_tensor.hpp"

#include <torch/optim/optimizer.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace troupe {

struct optimizer_kind;

/// Stochastic gradient descent or AdamW over named parameters. Weight decay applies to all of them, as is LibTorch's
/// default. Owner: the training thread.
class optimizer {
public:
  /// bad_config: an unknown name, or a value that is out of its range.
  static expected<optimizer> make(const optimizer_config& config, std::vector<state_entry> parameters);

  void set_learning_rate(double rate);

  /// Updates the parameters by their gradients.
  void step() { impl_->step(); }

  /// Forgets all gradients, so that the next backward pass stores its own instead of adding to zeros.
  void drop_gradients();

  /// The live tensors of its state, "<slot>.<parameter>": "momentum_buffer.fc1.weight"; slot by slot, parameters in the
  /// model's order. Empty before the first step.
  [[nodiscard]] std::vector<state_entry> state() const;

  /// Step counts, "step.<parameter>", for AdamW.
  [[nodiscard]] std::map<std::string, std::int64_t> counters() const;

  /// Takes over the state that another one of the same kind has given out: training goes on with the same bits.
  /// mismatch: names, shapes or counts are not those of this optimizer; its state is then as before.
  expected<void> load(std::span<const named_tensor> state, const std::map<std::string, std::int64_t>& counters);

  [[nodiscard]] const std::vector<state_entry>& parameters() const noexcept { return parameters_; }

private:
  optimizer(const optimizer_kind& kind, std::unique_ptr<torch::optim::Optimizer> impl,
            std::vector<state_entry> parameters);

  const optimizer_kind* kind_;
  std::unique_ptr<torch::optim::Optimizer> impl_;
  std::vector<state_entry> parameters_;
};

} // namespace troupe
