#include "actors/collator/open_batch.hpp"

#include <algorithm>
#include <cassert>
#include <utility>

namespace troupe {

void open_batch::add(batch_slice slice, std::vector<bad_sample> bad) {
  if (slices_.empty()) {
    ref_ = slice.batch();
    end_ = ref_.num_samples;
  }
  for (auto& each : round_)
    if (each.slot == slice.first())
      each.good = bad.empty();
  num_filled_ += slice.count();
  slices_.push_back(std::move(slice));
  std::move(bad.begin(), bad.end(), std::back_inserter(bad_));
}

void open_batch::use_slots(std::uint32_t first, std::uint32_t end) {
  first_ = first;
  end_ = end;
  const auto outside = [=](std::uint32_t slot) { return slot < first || slot >= end; };
  std::erase_if(bad_, [&](auto& each) { return outside(each.slot); });
  std::erase_if(waiting_, outside);
}

const std::vector<std::uint32_t>& open_batch::settle() {
  assert(complete());
  std::stable_sort(bad_.begin(), bad_.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  if (!std::exchange(settled_, true)) {
    for (auto& each : bad_)
      waiting_.push_back(each.slot);
    return waiting_;
  }
  std::size_t num_good = 0;
  for (auto& each : round_) {
    if (!each.good)
      continue;
    const auto slot = round_[num_good++].slot;
    if (slot != each.slot)
      single(slot).copy_sample(single(each.slot), 0);
    replaced_.push_back(slot);
    std::erase(waiting_, slot);
  }
  round_.clear();
  return waiting_;
}

batch_slice& open_batch::single(std::uint32_t slot) {
  const auto holder = std::find_if(slices_.begin(), slices_.end(),
                                   [=](auto& x) { return x.first() <= slot && slot < x.first() + x.count(); });
  assert(holder != slices_.end());
  if (holder->count() == 1)
    return *holder;
  auto parts = std::move(*holder).singles();
  slices_.erase(holder);
  std::move(parts.begin(), parts.end(), std::back_inserter(slices_));
  return single(slot);
}

batch_slice open_batch::reopen(std::uint32_t slot, std::uint64_t position) {
  auto& held = single(slot);
  auto out = std::move(held);
  slices_.erase(slices_.begin() + (&held - slices_.data()));
  num_filled_ -= 1;
  round_.push_back({slot, true});
  out.fill_from(position);
  return out;
}

bool open_batch::last_slot_untouched() const noexcept {
  const auto is_last = [this](std::uint32_t slot) { return slot + 1 == end_; };
  return std::none_of(waiting_.begin(), waiting_.end(), is_last)
         && std::none_of(replaced_.begin(), replaced_.end(), is_last);
}

batch_buffer open_batch::join() {
  std::vector<std::uint32_t> gone = waiting_;
  for (std::uint32_t slot = 0; slot < ref_.num_samples; ++slot)
    if (slot < first_ || slot >= end_)
      gone.push_back(slot);
  std::sort(gone.begin(), gone.end());
  auto whole = batch_buffer::join(slices_);
  assert(whole);
  if (!gone.empty())
    whole->remove_slots(gone, ref_.num_samples);
  ref_.num_samples -= static_cast<std::uint32_t>(gone.size());
  return std::move(*whole);
}

} // namespace troupe
