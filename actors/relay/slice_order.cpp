#include "actors/relay/slice_order.hpp"

namespace troupe {

bool slice_order::is_out_of_turn(const batch_slice& slice) const noexcept {
  const auto& ref = slice.batch();
  const bool replaces = slice.position() != ref.first_position + slice.first();
  return replaces || place(ref.id, slice.first()) < next_;
}

std::vector<slice_order::filled> slice_order::add(filled slice) {
  std::vector<filled> out;
  const place at(slice.slice.batch().id, slice.slice.first());
  held_.insert_or_assign(at, std::move(slice));
  for (auto it = held_.begin(); it != held_.end() && it->first == next_; it = held_.erase(it)) {
    const auto& token = it->second.slice;
    next_.second += token.count();
    if (next_.second >= token.batch().num_samples)
      next_ = {next_.first + 1, 0};
    out.push_back(std::move(it->second));
  }
  return out;
}

} // namespace troupe
