/// Puts the slices of a run into step order. Logic only.
#pragma once

#include "messages/batch_buffer.hpp"
#include "messages/flow.hpp"

#include <cstdint>
#include <map>
#include <utility>
#include <vector>

namespace troupe {

/// Holds slices back until those before them have come. A slot that is filled once more (its sample was bad, or an actor
/// died with it after its turn) comes out of turn.
class slice_order {
public:
  /// The batch `first_batch` comes first.
  explicit slice_order(std::uint64_t first_batch) : next_(first_batch, 0) {}

  struct filled {
    batch_slice slice;
    std::vector<bad_sample> bad;
  };

  /// Whether the turn of the slice is over, or it never had one.
  [[nodiscard]] bool is_out_of_turn(const batch_slice& slice) const noexcept;

  /// Takes a slice and returns those whose turn it is now, in order. @pre it is not out of turn
  [[nodiscard]] std::vector<filled> add(filled slice);

  [[nodiscard]] std::uint64_t next_batch() const noexcept { return next_.first; }
  [[nodiscard]] std::size_t num_held() const noexcept { return held_.size(); }

private:
  using place = std::pair<std::uint64_t, std::uint32_t>; ///< Batch and slot.

  place next_;
  std::map<place, filled> held_;
};

} // namespace troupe
