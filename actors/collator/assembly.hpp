/// Puts filled slices together into whole batches and lets them out in order. Logic only.
#pragma once

#include "messages/flow.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace troupe {

/// The batches being filled. At most as many as there are buffers.
class assembly {
public:
  /// Adds a filled slice. Returns the batches that are now complete and next in line, in order: ids ascend by one
  /// from the first batch seen. Slots of bad samples are closed up, so the first `num_samples` slots are good.
  [[nodiscard]] std::vector<batch_ready> add(batch_slice slice, std::vector<bad_sample> bad);

  /// Sets the id of the first batch to come. Called before the first slice.
  void start_at(std::uint64_t batch_id) noexcept { next_id_ = batch_id; }

  /// The batch that everybody waits for.
  [[nodiscard]] std::uint64_t next_id() const noexcept { return next_id_; }
  [[nodiscard]] std::size_t num_open() const noexcept { return open_.size(); }

private:
  struct open_batch {
    batch_ref ref;
    std::vector<batch_slice> slices;
    std::vector<bad_sample> bad;
    std::uint32_t num_filled = 0;
  };

  [[nodiscard]] static batch_ready finish(open_batch&& batch);

  std::map<std::uint64_t, open_batch> open_;
  std::uint64_t next_id_ = 0;
};

} // namespace troupe
