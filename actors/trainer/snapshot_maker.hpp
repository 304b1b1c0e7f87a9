/// Immutable copies of the model, in memory that is used again.
#pragma once

#include "actors/support/expected.hpp"
#include "actors/support/network/host_arena.hpp"
#include "actors/support/network/state_dict.hpp"
#include "messages/snapshot.hpp"

#include <span>
#include <vector>

namespace troupe {

/// Makes snapshots. Each tensor is copied once, into host memory that comes back when the last holder of a snapshot, on
/// whatever thread, lets go of it. Owner: the training thread; snapshots may outlive the maker.
class snapshot_maker {
public:
  /// `page_locked`: for tensors on a GPU.
  explicit snapshot_maker(bool page_locked) : arena_(page_locked) {}

  /// Copies `weights`, and `optimizer_state` too if `frame.has_training_state`, into `frame`, whose other members are
  /// the caller's. The copies are complete when it returns: the tensors may change from then on.
  /// nonfinite: a weight is NaN or infinite; unsupported: an element type that a snapshot cannot hold.
  expected<snapshot_ptr> make(snapshot frame, std::span<const state_entry> weights,
                              std::span<const state_entry> optimizer_state);

private:
  std::vector<named_tensor> copy(std::span<const state_entry> entries);

  host_arena arena_;
};

} // namespace troupe
