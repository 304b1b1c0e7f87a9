#include "actors/collator/assembly.hpp"

#include <algorithm>
#include <cassert>

namespace troupe {

std::vector<batch_ready> assembly::add(batch_slice slice, std::vector<bad_sample> bad) {
  auto& batch = open_[slice.batch().id];
  batch.ref = slice.batch();
  batch.num_filled += slice.count();
  batch.slices.push_back(std::move(slice));
  std::move(bad.begin(), bad.end(), std::back_inserter(batch.bad));
  std::vector<batch_ready> ready;
  for (auto it = open_.begin(); it != open_.end() && it->first == next_id_; it = open_.erase(it), ++next_id_) {
    if (it->second.num_filled != it->second.ref.num_samples)
      break;
    ready.push_back(finish(std::move(it->second)));
  }
  return ready;
}

batch_ready assembly::finish(open_batch&& batch) {
  auto whole = batch_buffer::join(batch.slices);
  assert(whole);
  std::vector<std::uint32_t> slots;
  for (auto& sample : batch.bad)
    slots.push_back(sample.slot);
  std::sort(slots.begin(), slots.end());
  std::sort(batch.bad.begin(), batch.bad.end(), [](auto& a, auto& b) { return a.slot < b.slot; });
  if (!slots.empty())
    whole->remove_slots(slots, batch.ref.num_samples);
  batch.ref.num_samples -= static_cast<std::uint32_t>(slots.size());
  return {batch.ref, lease<batch_buffer>(std::move(*whole)), std::move(batch.bad)};
}

} // namespace troupe
