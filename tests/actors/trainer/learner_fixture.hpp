/// Learners and comparisons for the trainer's tests.
#pragma once

#include "actors/trainer/learner.hpp"
#include "tests/support/toy_batch.hpp"

#include <cstring>
#include <memory>

#include "tests/support/doctest.hpp"

namespace troupe {

inline const model_io toy_io{1, 12, 12, 4};

/// A small recipe on one thread; without dropout, so that micro-batches can be compared.
inline trainer_config toy_recipe() {
  trainer_config config;
  config.model = {.name = "lenet", .dropout = 0, .hidden = 8};
  config.compute.device = "cpu";
  config.epochs = 4;
  return config;
}

inline std::unique_ptr<learner> make_learner(const trainer_config& config, const model_io& io = toy_io,
                                             std::uint64_t steps_per_epoch = 10) {
  auto made = learner::make(config, io, steps_per_epoch);
  if (!made)
    FAIL(made.error().context);
  return std::move(*made);
}

inline step_result train_on(learner& trained, const batch_view& batch, std::uint64_t id = 0) {
  REQUIRE(trained.forward_backward(batch, id));
  return trained.finish_step();
}

inline snapshot_ptr exported(learner& trained, bool with_training_state = true) {
  snapshot frame;
  frame.has_training_state = with_training_state;
  auto taken = trained.export_snapshot(std::move(frame));
  if (!taken)
    FAIL(taken.error().context);
  return *taken;
}

inline bool same_bits(const std::vector<named_tensor>& a, const std::vector<named_tensor>& b) {
  if (a.size() != b.size())
    return false;
  for (std::size_t i = 0; i < a.size(); ++i)
    if (a[i].name != b[i].name || a[i].value.shape != b[i].value.shape
        || std::memcmp(a[i].value.bytes.get(), b[i].value.bytes.get(), a[i].value.num_bytes()) != 0)
      return false;
  return true;
}

inline bool same_state(const snapshot& a, const snapshot& b) {
  return a.tag.step == b.tag.step && same_bits(a.weights, b.weights) && same_bits(a.optimizer_state, b.optimizer_state)
         && a.optimizer_counters == b.optimizer_counters;
}

/// The largest difference between two sets of fp32 weights.
inline double distance(const snapshot& a, const snapshot& b) {
  REQUIRE(a.weights.size() == b.weights.size());
  double largest = 0;
  for (std::size_t i = 0; i < a.weights.size(); ++i) {
    const auto& x = a.weights[i].value;
    if (x.type != dtype::f32)
      continue;
    const auto* p = reinterpret_cast<const float*>(x.bytes.get());
    const auto* q = reinterpret_cast<const float*>(b.weights[i].value.bytes.get());
    for (std::size_t j = 0; j < x.num_elements(); ++j)
      largest = std::max(largest, static_cast<double>(std::abs(p[j] - q[j])));
  }
  return largest;
}

} // namespace troupe
