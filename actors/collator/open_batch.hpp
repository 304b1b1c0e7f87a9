/// One batch while it is being filled. Logic only.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/batch_ref.hpp"

#include <cstdint>
#include <vector>

namespace troupe {

/// The slices of a batch, which of its slots count, and which of them are bad.
class open_batch {
public:
  /// Takes a filled slice; `bad` are those of its slots that are not.
  void add(batch_slice slice, std::vector<bad_sample> bad);

  [[nodiscard]] const batch_ref& ref() const noexcept { return ref_; }
  [[nodiscard]] bool complete() const noexcept { return !slices_.empty() && num_filled_ == ref_.num_samples; }
  [[nodiscard]] std::uint32_t capacity() const noexcept { return slices_.front().layout().capacity; }

  /// Says that only the slots [first, end) count. Bad samples in the others are no longer of this batch.
  void use_slots(std::uint32_t first, std::uint32_t end);

  /// Slots in use that wait for a sample, ascending. Looks at what the last replacements brought: the good ones among them
  /// go, in order, to the first slots that waited. @pre complete()
  [[nodiscard]] const std::vector<std::uint32_t>& settle();

  /// Takes the slot out, to be filled from `position` and added again. Ascending slots, then `settle`.
  [[nodiscard]] batch_slice reopen(std::uint32_t slot, std::uint64_t position);

  /// Whether the sample of the last slot in use is the one that the epoch's order has there.
  [[nodiscard]] bool last_slot_untouched() const noexcept;

  /// Joins the slices; slots that are not in use or stayed bad are closed up. `num_samples` of the reference counts what
  /// is left. @pre complete()
  [[nodiscard]] batch_buffer join();

  [[nodiscard]] std::vector<bad_sample> take_bad() noexcept { return std::move(bad_); }
  [[nodiscard]] std::uint32_t end_slot() const noexcept { return end_; }

private:
  struct replacement {
    std::uint32_t slot = 0;
    bool good = true;
  };

  [[nodiscard]] batch_slice& single(std::uint32_t slot);

  batch_ref ref_;
  std::vector<batch_slice> slices_;
  std::vector<bad_sample> bad_; ///< In the order of (slot, attempt).
  std::uint32_t num_filled_ = 0;
  std::uint32_t first_ = 0;
  std::uint32_t end_ = 0;
  bool settled_ = false;                ///< `waiting_` holds the bad slots.
  std::vector<std::uint32_t> waiting_;  ///< Slots in use without a sample, ascending.
  std::vector<std::uint32_t> replaced_; ///< Slots in use with another sample than the order's.
  std::vector<replacement> round_;      ///< Reopened since the last `settle`, ascending.
};

} // namespace troupe
