/// The numbers of one slot of a slice, to be changed in place.
#pragma once

#include "actors/support/components/guarded_block.hpp"
#include "messages/batch_buffer.hpp"

#include <cstdint>
#include <memory>
#include <span>

namespace troupe {

/// The normalised pixels of slot `i` of a slice as floats, [C, H, W] or [H, W, C] as `layout().channels_last` says. They are
/// the slot itself where the buffer is of floats; else, and in checked builds, a copy that is written back by `commit`.
/// The watchdog is told that the sample is in work.
/// In a checked build what is written beside it is found out: `commit` throws std::out_of_range.
class slot_floats {
public:
  /// @pre i < slice.count(); the slice outlives this object
  slot_floats(const batch_slice& slice, std::uint32_t i);

  [[nodiscard]] std::span<float> values() noexcept { return values_; }

  /// The change is complete. Without it the slot may be as it was.
  void commit();

private:
  const batch_slice& slice_;
  std::uint32_t i_;
  std::unique_ptr<guarded_block> copy_;
  std::span<float> values_;
};

} // namespace troupe
