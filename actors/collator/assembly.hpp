/// Puts filled slices together into whole batches, has bad samples replaced, and lets the batches out in order. Logic only.
#pragma once

#include "actors/collator/open_batch.hpp"
#include "messages/flow.hpp"

#include <cstdint>
#include <map>
#include <vector>

namespace troupe {

/// The batches being filled. At most as many as there are buffers.
///
/// With `replace_bad`, the n-th bad slot in (batch, slot) order takes the last still unused good sample of the epoch,
/// which leaves its later batch. What comes of it depends on which samples are bad alone, since a batch is looked at when
/// all batches before it are out: so an epoch's last batches become shorter, perhaps empty, and no sample is seen twice. A
/// bad sample for which there is none left, and every one without `replace_bad`, is closed up.
///
/// If one sample alone is left for the epoch's last batch, the batch before gives it its own last one (batch norm cannot
/// train on one).
class assembly {
public:
  struct outcome {
    std::vector<batch_ready> ready;  ///< Complete and next in line, in order.
    std::vector<batch_slice> wanted; ///< To be filled from `batch_slice::position`, and added again.
  };

  assembly() = default;
  /// The batch `first_id` comes first, which lies at `first`.
  assembly(bool replace_bad, std::uint64_t first_id, const data_position& first)
    : replace_bad_(replace_bad), next_id_(first_id), epoch_(first) {}

  /// Adds a filled slice; `bad` are those of its slots that are not.
  [[nodiscard]] outcome add(batch_slice slice, std::vector<bad_sample> bad);

  /// The batch that everybody waits for.
  [[nodiscard]] std::uint64_t next_id() const noexcept { return next_id_; }
  [[nodiscard]] std::size_t num_open() const noexcept { return open_.size(); }

private:
  void enter(const batch_ref& batch);
  [[nodiscard]] std::vector<batch_slice> replacements_for(open_batch& batch);
  [[nodiscard]] batch_ready finish(open_batch& batch);

  bool replace_bad_ = false;
  std::map<std::uint64_t, open_batch> open_;
  std::uint64_t next_id_ = 0;
  data_position epoch_; ///< `epoch` of the batch next in line; `taken` and `given` so far in it.
};

} // namespace troupe
