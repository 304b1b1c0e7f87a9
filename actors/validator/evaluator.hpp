/// Judges snapshots with a replica of the model. Knows no LibTorch in its interface.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/batch_view.hpp"
#include "actors/support/network/network_config.hpp"
#include "actors/validator/validator_config.hpp"
#include "messages/metric.hpp"

#include <memory>
#include <string>

namespace troupe {

/// Owns a replica of the model, always in evaluation mode and without gradients. Everything is called on the thread
/// that called `make`; any other thread ends the process at once. After `make` it never draws from LibTorch's
/// generator; make it before training starts.
class evaluator {
public:
  /// Sets the thread's number of torch threads and builds the replica. bad_config, unsupported: as in `learner::make`.
  static expected<std::unique_ptr<evaluator>> make(const validator_config& config, const model_io& io);
  ~evaluator();
  evaluator(const evaluator&) = delete;
  evaluator& operator=(const evaluator&) = delete;

  /// Copies the weights into the replica and starts counting from nothing; the snapshot is kept until `finish`.
  /// mismatch: it is of another model; the replica and the counts are then as before.
  expected<void> load(snapshot_ptr judged);

  /// Judges one batch, whose memory is free again on return. bad_data: no samples, or a label that is no class.
  /// @pre a snapshot is loaded
  expected<void> add(const batch_view& batch);

  /// The figures over all batches since `load`, and the snapshot; `seconds` is left to the caller. Without samples the
  /// shares are NaN. @pre a snapshot is loaded; it is let go of.
  [[nodiscard]] validation_report finish();

  [[nodiscard]] bool wants_page_locked_batches() const; ///< It computes on a GPU.
  [[nodiscard]] std::string description() const;        ///< "lenet on cpu, fp32, channels_last, 1 torch thread(s)"

private:
  struct state;
  explicit evaluator(std::unique_ptr<state> x);
  std::unique_ptr<state> state_;
};

} // namespace troupe
