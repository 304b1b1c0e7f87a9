#include "actors/relay/slice_order.hpp"

namespace troupe {

std::vector<slice_order::filled> slice_order::add(filled slice) {
  std::vector<filled> out;
  const auto& ref = slice.slice.batch();
  const place at(ref.id, slice.slice.first());
  const bool replaces = slice.slice.position() != ref.first_position + slice.slice.first();
  if (replaces || at < next_) {
    out.push_back(std::move(slice));
    return out;
  }
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
